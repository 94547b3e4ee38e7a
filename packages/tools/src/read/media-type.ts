type Signature = readonly [mediaType: string, ...parts: readonly (readonly [offset: number, text: string])[]];

const SIGNATURES: readonly Signature[] = [
  ["image/png", [0, "\x89PNG\r\n\x1a\n"]],
  ["image/jpeg", [0, "\xff\xd8\xff"]],
  ["image/gif", [0, "GIF87a"]],
  ["image/gif", [0, "GIF89a"]],
  ["image/webp", [0, "RIFF"], [8, "WEBP"]],
  ["application/pdf", [0, "%PDF-"]],
];

/** The media type of a file that a model can look at as it is, told by its first bytes and not by its name. */
export function mediaTypeOf(head: Uint8Array): string | undefined {
  const found = SIGNATURES.find(([, ...parts]) => parts.every(([offset, text]) => hasText(head, offset, text)));
  return found?.[0];
}

function hasText(head: Uint8Array, offset: number, text: string): boolean {
  return Array.from(text).every((char, index) => head[offset + index] === char.charCodeAt(0));
}
