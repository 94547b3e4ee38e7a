import { latin1 } from "../encoding.ts";
import { UsageError } from "./parse-options.ts";

const byBytes = (text: string): string => latin1(new TextEncoder().encode(text));

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /\p{Cc}/u,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[\t-\r ]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

/** Some bytes of a set; `[x*]` has none by itself, and fills the set up. */
interface Part {
  readonly bytes: readonly number[];
  readonly filler?: number;
  readonly end: number;
}

/** The bytes that a set of `tr` stands for, in its order; `[x*]` in a second set fills it up to `length`. */
export function bytesOfSet(set: string, length = 0): number[] {
  const bytes: number[] = [];
  let filler: { readonly at: number; readonly byte: number } | undefined;
  const text = byBytes(set);
  for (let at = 0; at < text.length;) {
    const part = classPart(text, at) ?? repeatPart(text, at) ?? rangePart(text, at);
    if (part.filler !== undefined) filler = { at: bytes.length, byte: part.filler };
    bytes.push(...part.bytes);
    at = part.end;
  }
  if (filler) bytes.splice(filler.at, 0, ...repeated(filler.byte, length - bytes.length));
  return bytes;
}

function repeated(byte: number, count: number): number[] {
  return Array.from({ length: Math.max(0, Math.min(count, MAX_REPEAT)) }, () => byte);
}

const MAX_REPEAT = 65_536;

function classPart(text: string, at: number): Part | undefined {
  const rest = text.slice(at, at + 16);
  const [whole, name = ""] = /^\[:(\w+):\]/.exec(rest) ?? /^\[=(.)=\]/s.exec(rest) ?? [];
  if (whole === undefined) return undefined;
  return { bytes: whole.startsWith("[:") ? classBytes(name) : [name.charCodeAt(0)], end: at + whole.length };
}

function repeatPart(text: string, at: number): Part | undefined {
  const [whole, char = "", digits = ""] = /^\[(\\[0-7]{1,3}|\\.|[^\\])\*(\d*)\]/s.exec(text.slice(at, at + 32)) ?? [];
  if (whole === undefined) return undefined;
  const { byte } = takeByte(char, 0);
  const count = Number.parseInt(digits || "0", digits.startsWith("0") ? 8 : 10);
  const end = at + whole.length;
  return count > 0 ? { bytes: repeated(byte, count), end } : { bytes: [], filler: byte, end };
}

function rangePart(text: string, at: number): Part {
  const from = takeByte(text, at);
  if (text[from.next] !== "-" || from.next + 1 >= text.length) return { bytes: [from.byte], end: from.next };
  const to = takeByte(text, from.next + 1);
  if (to.byte < from.byte) {
    throw new UsageError(`range-endpoints of '${text.slice(at, to.next)}' are in reverse collating sequence order`);
  }
  return { bytes: Array.from({ length: to.byte - from.byte + 1 }, (_, index) => from.byte + index), end: to.next };
}

function classBytes(name: string): number[] {
  const pattern = Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined;
  if (!pattern) throw new UsageError(`invalid character class '${name}'`);
  return Array.from({ length: 128 }, (_, byte) => byte).filter((byte) => pattern.test(String.fromCharCode(byte)));
}

function takeByte(text: string, at: number): { readonly byte: number; readonly next: number } {
  const [escape, octal, char] = /^\\(?:([0-7]{1,3})|(.))/s.exec(text.slice(at, at + 4)) ?? [];
  if (escape === undefined) return { byte: text.charCodeAt(at), next: at + 1 };
  if (octal !== undefined) return { byte: Number.parseInt(octal, 8) & 255, next: at + escape.length };
  return { byte: ESCAPES[char ?? ""] ?? (char ?? "").charCodeAt(0), next: at + escape.length };
}
