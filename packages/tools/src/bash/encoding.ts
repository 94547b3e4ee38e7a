import type { BufferEncoding, FileContent } from "just-bash/browser";

/** just-bash passes an encoding by itself or in options. */
export function encodingOf(given: BufferEncoding | { encoding?: BufferEncoding | null } | undefined): BufferEncoding {
  return (typeof given === "object" ? given.encoding : given) ?? "utf8";
}

/** Bytes of what just-bash writes; `binary` and `latin1` text has one byte in each character. */
export function encodeContent(content: FileContent, encoding: BufferEncoding): Uint8Array {
  if (typeof content !== "string") return content;
  if (encoding === "utf8" || encoding === "utf-8") return new TextEncoder().encode(content);
  if (encoding === "hex") return Uint8Array.from(content.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const binary = encoding === "base64" ? atob(content) : content;
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

/** The reverse of `encodeContent`. */
export function decodeBytes(bytes: Uint8Array, encoding: BufferEncoding): string {
  if (encoding === "utf8" || encoding === "utf-8")
    return new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes);
  if (encoding === "hex") return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const binary = latin1(bytes);
  return encoding === "base64" ? btoa(binary) : binary;
}

function latin1(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.byteLength; at += 0x8000) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  }
  return parts.join("");
}
