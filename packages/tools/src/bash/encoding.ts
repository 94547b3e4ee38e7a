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
  return fromLatin1(encoding === "base64" ? atob(content) : content);
}

/** The reverse of `encodeContent`. */
export function decodeBytes(bytes: Uint8Array, encoding: BufferEncoding): string {
  if (encoding === "utf8" || encoding === "utf-8")
    return new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes);
  if (encoding === "hex") return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const binary = latin1(bytes);
  return encoding === "base64" ? btoa(binary) : binary;
}

/** Text as bytes of it, so that what is not UTF-8 survives: one character for each byte. */
export function latin1(bytes: Uint8Array): string {
  // The decoder is many times as fast; that of "latin1" takes 0x80 to 0x9f for something else. Of what is not ASCII it
  // makes fewer characters than there are bytes, or ones for what is not valid.
  const ascii = new TextDecoder().decode(bytes);
  if (ascii.length === bytes.length && !ascii.includes("\uFFFD")) return ascii;
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    // Not spread, which makes each byte an element of its own first.
    text += String.fromCharCode.apply(undefined, bytes.subarray(at, at + 0x8000) as unknown as number[]);
  }
  return text;
}

/** The reverse of `latin1`. */
export function fromLatin1(text: string): Uint8Array {
  // Every character beyond ASCII takes more bytes than it has units.
  const ascii = new TextEncoder().encode(text);
  if (ascii.length === text.length) return ascii;
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** All sequences of UTF-8 that are more than one byte, in text with a character for each byte. */
const SEQUENCES =
  /[\xc2-\xdf][\x80-\xbf]|(?:\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f])[\x80-\xbf]|(?:\xf0[\x90-\xbf]|[\xf1-\xf3][\x80-\xbf]|\xf4[\x80-\x8f])[\x80-\xbf]{2}/g;

/** For people to read: UTF-8, and a character for each byte that is none, so that one of these does not garble the rest. */
export function shownText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return latin1(bytes).replace(SEQUENCES, (sequence) => new TextDecoder().decode(fromLatin1(sequence)));
  }
}
