import { latin1 } from "../encoding.ts";
import { UsageError } from "./parse-options.ts";

const byBytes = (text: string): string => latin1(new TextEncoder().encode(text));

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[\0-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[\t-\r ]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

/** The bytes that a set of `tr` stands for, in its order; `[x*]` in a second set fills it up to `length`. */
export function bytesOfSet(set: string, length?: number): number[] {
  const bytes: number[] = [];
  let filler: { readonly at: number; readonly byte: number } | undefined;
  const text = byBytes(set);
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at);
    const [whole, name] = /^\[:(\w+):\]/.exec(rest) ?? /^\[=(.)=\]/s.exec(rest) ?? [];
    if (whole !== undefined) {
      bytes.push(...(whole.startsWith("[:") ? classBytes(name ?? "") : [(name ?? "").charCodeAt(0)]));
      at += whole.length;
      continue;
    }
    const repeat = /^\[(\\[0-7]{1,3}|\\.|[^\\])\*(\d*)\]/s.exec(rest);
    if (repeat) {
      const { byte } = takeByte(repeat[1] ?? "", 0);
      const count = Number.parseInt(repeat[2] || "0", repeat[2]?.startsWith("0") ? 8 : 10);
      if (count > 0) bytes.push(...new Array<number>(Math.min(count, 65_536)).fill(byte));
      else filler = { at: bytes.length, byte };
      at += repeat[0].length;
      continue;
    }
    const from = takeByte(text, at);
    at = from.next;
    if (text[at] !== "-" || at + 1 >= text.length) {
      bytes.push(from.byte);
      continue;
    }
    const to = takeByte(text, at + 1);
    if (to.byte < from.byte) {
      throw new UsageError(
        `range-endpoints of '${text.slice(from.at, to.next)}' are in reverse collating sequence order`,
      );
    }
    for (let byte = from.byte; byte <= to.byte; byte++) bytes.push(byte);
    at = to.next;
  }
  if (filler && length !== undefined && bytes.length < length)
    bytes.splice(filler.at, 0, ...new Array<number>(length - bytes.length).fill(filler.byte));
  return bytes;
}

function classBytes(name: string): number[] {
  const pattern = CLASSES[name];
  if (!pattern) throw new UsageError(`invalid character class '${name}'`);
  return Array.from({ length: 128 }, (_, byte) => byte).filter((byte) => pattern.test(String.fromCharCode(byte)));
}

function takeByte(text: string, at: number): { readonly byte: number; readonly at: number; readonly next: number } {
  const [escape, octal, char] = /^\\(?:([0-7]{1,3})|(.))/s.exec(text.slice(at, at + 4)) ?? [];
  if (escape === undefined) return { byte: text.charCodeAt(at), at, next: at + 1 };
  if (octal !== undefined) return { byte: Number.parseInt(octal, 8) & 255, at, next: at + escape.length };
  return { byte: ESCAPES[char ?? ""] ?? (char ?? "").charCodeAt(0), at, next: at + escape.length };
}
