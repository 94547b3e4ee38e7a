import { joinBytes } from "../../web/read-body.ts";
import { LETTER_ESCAPES } from "./letter-escapes.ts";
import type { ShellCommand } from "../shell-command.ts";

/**
 * In place of just-bash's, for which `\xff` and `\0377` are characters, not bytes. It calls no other, since what just-bash
 * prepares for that takes longer than the loops that print a word at a time.
 */
export const echo: ShellCommand = {
  name: "echo",
  async run(args) {
    const first = args.findIndex((arg) => !/^-[neE]+$/.test(arg));
    const words = first === -1 ? [] : args.slice(first);
    const options = args.slice(0, args.length - words.length).join("");
    const text = words.join(" ");
    const end = options.includes("n") ? "" : "\n";
    // Of `-e` and `-E` the last one counts.
    if (options.lastIndexOf("e") <= options.lastIndexOf("E")) return { stdout: text + end };
    return { stdout: unescape(text, end) };
  },
};

const ESCAPE = /\\(?:0([0-7]{0,3})|x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([abceEfnrtv\\]))/g;
const LETTERS: Readonly<Record<string, string>> = { ...LETTER_ESCAPES, e: "\x1B", E: "\x1B" };
const LAST_CHARACTER = 0x10ffff;

/** The text with its escapes, and its end unless one of them says that nothing follows. */
function unescape(text: string, end: string): string | Uint8Array {
  const parts: (string | Uint8Array)[] = [];
  let at = 0;
  for (const { index, 0: all, 1: octal, 2: hex, 3: short, 4: long, 5: letter } of text.matchAll(ESCAPE)) {
    parts.push(text.slice(at, index));
    if (letter === "c") return join(parts);
    at = index + all.length;
    const byte = octal === undefined ? hex && Number.parseInt(hex, 16) : Number.parseInt(octal || "0", 8) & 0xff;
    const character = Number.parseInt(short ?? long ?? "", 16);
    if (letter !== undefined) parts.push(LETTERS[letter] ?? all);
    else if (typeof byte === "number") parts.push(byte < 0x80 ? String.fromCharCode(byte) : Uint8Array.of(byte));
    else parts.push(characterOf(character));
  }
  return join([...parts, text.slice(at), end]);
}

/** What is no character is written by bash as the first form of UTF-8 had it (RFC 2279), with up to six bytes. */
function characterOf(code: number): string | Uint8Array {
  if (code <= LAST_CHARACTER && !(code >= 0xd800 && code <= 0xdfff)) return String.fromCodePoint(code);
  if (code > 0x7fffffff) return "";
  const length = [0x10000, 0x200000, 0x4000000].filter((bound) => code >= bound).length + 3;
  const head = (0xff00 >> length) & 0xff;
  return Uint8Array.from({ length }, (_, at) => {
    const bits = code >> (6 * (length - 1 - at));
    return at === 0 ? head | bits : 0x80 | (bits & 0x3f);
  });
}

function join(parts: readonly (string | Uint8Array)[]): string | Uint8Array {
  if (parts.every((part) => typeof part === "string")) return parts.join("");
  return joinBytes(parts.map((part) => (typeof part === "string" ? new TextEncoder().encode(part) : part)));
}
