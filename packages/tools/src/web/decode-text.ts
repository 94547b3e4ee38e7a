/** Where a page says in itself how it is encoded, at the latest. */
const META_BYTES = 2048;

export interface DecodedText {
  readonly text: string;
  /** The encoding that was asked for and is not known here; it was read as UTF-8 then. */
  readonly unknown?: string;
}

/**
 * Text of a body: by its byte order mark, else by the charset of its header, else by what the page itself says, else as UTF-8.
 * What is not valid in it is replaced.
 */
export function decodeText(bytes: Uint8Array, charset?: string): DecodedText {
  const label = ofMark(bytes) ?? charset ?? ofMeta(bytes) ?? "utf-8";
  try {
    return { text: new TextDecoder(label).decode(bytes) };
  } catch {
    return { text: new TextDecoder().decode(bytes), unknown: label };
  }
}

function ofMark([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xff && b === 0xfe) return "utf-16le";
  return a === 0xfe && b === 0xff ? "utf-16be" : undefined;
}

function ofMeta(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, META_BYTES));
  return (
    /<meta\b[^>]*\bcharset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1] ??
    /^<\?xml\b[^>]*\bencoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1]
  );
}
