import { AwkError } from "./awk-error.ts";

/** What a byte becomes that is not part of UTF-8: half of a pair that has no other half. It is written as that byte. */
const STRAY = 0xdc00;

/** Text of bytes; none of them is lost. */
export function textOfBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return strayText(bytes);
  }
}

function strayText(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const plain = plainEnd(bytes, at);
    if (plain > at)
      parts.push(new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes.subarray(at, plain)));
    if (plain < bytes.length) parts.push(String.fromCharCode(STRAY + (bytes[plain] ?? 0)));
    at = plain + 1;
  }
  return parts.join("");
}

/** Where the first byte is that is not part of UTF-8. */
function plainEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length) {
    const size = sizeAt(bytes, at);
    if (size === 0) break;
    at += size;
  }
  return at;
}

/** First bytes of characters, with what their second bytes may be and how many bytes they have. */
const LEADS: readonly (readonly [first: number, last: number, low: number, high: number, size: number])[] = [
  [0xc2, 0xdf, 0x80, 0xbf, 2],
  [0xe0, 0xe0, 0xa0, 0xbf, 3],
  [0xe1, 0xec, 0x80, 0xbf, 3],
  [0xed, 0xed, 0x80, 0x9f, 3],
  [0xee, 0xef, 0x80, 0xbf, 3],
  [0xf0, 0xf0, 0x90, 0xbf, 4],
  [0xf1, 0xf3, 0x80, 0xbf, 4],
  [0xf4, 0xf4, 0x80, 0x8f, 4],
];

/** Bytes of the character at `at`; 0 where there is none. */
function sizeAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const second = bytes[at + 1] ?? 0;
  const lead = LEADS.find(([from, to, low, high]) => first >= from && first <= to && second >= low && second <= high);
  const [, , , , size = 0] = lead ?? [];
  for (let more = 2; more < size; more++) if (((bytes[at + more] ?? 0) & 0xc0) !== 0x80) return 0;
  return size;
}

/** The reverse. */
export function bytesOfText(text: string): Uint8Array {
  if (text.isWellFormed()) return new TextEncoder().encode(text);
  const bytes: Uint8Array[] = [];
  for (const part of text.split(/([\uDC80-\uDCFF])/u))
    bytes.push(
      /^[\uDC80-\uDCFF]$/u.test(part) ? Uint8Array.of(part.charCodeAt(0) - STRAY) : new TextEncoder().encode(part),
    );
  const whole = new Uint8Array(bytes.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of bytes) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const CONTROLS: Readonly<Record<string, string>> = { a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

/** What the escape behind a backslash at `at` stands for, as `\n`, `\101` and `\x41`; undefined for all others. */
export function escapeAt(text: string, at: number): { readonly char: string; readonly length: number } | undefined {
  const control = CONTROLS[text.charAt(at)];
  if (control !== undefined) return { char: control, length: 1 };
  const bytes: number[] = [];
  let end = at;
  // Bytes one after another may be one character.
  for (;;) {
    const [whole, octal, hex = ""] = /^(?:([0-7]{1,3})|x([\da-fA-F]{1,2}))/.exec(text.slice(end, end + 3)) ?? [];
    if (whole === undefined) break;
    bytes.push(octal === undefined ? Number.parseInt(hex, 16) : Number.parseInt(octal, 8) & 255);
    end += whole.length;
    if ((bytes.at(-1) ?? 0) < 0x80 || text[end] !== "\\") break;
    if (!/^(?:[2-3][0-7][0-7]|x[89a-fA-F][\da-fA-F])/.test(text.slice(end + 1, end + 4))) break;
    end++;
  }
  return bytes.length === 0 ? undefined : { char: textOfBytes(Uint8Array.from(bytes)), length: end - at };
}

/** A text with its escapes replaced, as of a value of `-v`. */
export function withEscapes(text: string, warn: (message: string) => void): string {
  if (!text.includes("\\")) return text;
  let out = "";
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char !== "\\") {
      out += char;
      continue;
    }
    const found = escapeAt(text, at + 1);
    const next = text.charAt(at + 1);
    if (found) out += found.char;
    else if (next === "\\" || next === '"' || next === "/") out += next;
    else if (next === "") out += "\\";
    else if (next !== "\n") {
      warn(`warning: escape sequence \`\\${next}' treated as plain \`${next}'`);
      out += next;
    }
    at += found?.length ?? 1;
  }
  return out;
}

/** Characters, not halves of them. */
export function lengthOf(text: string): number {
  if (!PAIRS.test(text)) return text.length;
  let length = 0;
  for (const _ of text) length++;
  return length;
}

const PAIRS = /[\uD800-\uDBFF]/;

/** Whether a place in the text is not the same in characters. */
export function hasPairs(text: string): boolean {
  return PAIRS.test(text);
}

/** Most characters of a text. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

export function checkLength(length: number): void {
  if (length > MOST_CHARACTERS)
    throw new AwkError("limit exceeded: a text has more than the 16 MiB that are possible here");
}
