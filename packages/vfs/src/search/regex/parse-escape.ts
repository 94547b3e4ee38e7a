import { ASCII_WORD_BODY, type CharSet, native, negate, range, WORD_BODY } from "./char-set.ts";
import { type Cursor, peek, refuse, take, takeIf, takeUntil } from "./cursor.ts";
import type { Look, Syntax } from "./syntax.ts";
import { unicodeProperty } from "./unicode-property.ts";

const CONTROL: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };

const LOOKS: Readonly<Record<string, Look>> = {
  A: "text-start",
  z: "text-end",
  b: "word-edge",
  B: "no-word-edge",
  "<": "word-start",
  ">": "word-end",
};

const NAMED_EDGES: Readonly<Record<string, Look>> = {
  "{start}": "word-start",
  "{end}": "word-end",
  "{start-half}": "word-start-half",
  "{end-half}": "word-end-half",
};

/** What stands behind a backslash outside of a class. */
export function parseEscape(cursor: Cursor): Syntax {
  const char = peek(cursor);
  const look = LOOKS[char];
  if (look === undefined) return { kind: "set", set: parseEscapedSet(cursor) };
  cursor.at += char.length;
  const ascii = !cursor.flags.unicode;
  if (char === "b") {
    for (const [text, named] of Object.entries(NAMED_EDGES)) {
      if (takeIf(cursor, text)) return { kind: "look", look: named, ascii };
    }
  }
  return { kind: "look", look, ascii };
}

/** A backslash and what follows, where it stands for characters. */
export function parseEscapedSet(cursor: Cursor): CharSet {
  const { fold, unicode } = cursor.flags;
  const char = take(cursor);
  const control = CONTROL[char];
  if (control !== undefined) return range(control, control, false);
  switch (char) {
    case "d":
    case "D":
      return negate(unicode ? native("\\p{Nd}", false) : range(48, 57, false), char === "D");
    case "s":
    case "S":
      return negate(native(unicode ? "\\p{White_Space}" : "\\t-\\r ", false), char === "S");
    case "w":
    case "W":
      return negate(native(unicode ? WORD_BODY : ASCII_WORD_BODY, false), char === "W");
    case "p":
    case "P":
      return parseProperty(cursor, char === "P");
    case "x":
    case "u":
    case "U":
      return parseCode(cursor, char);
    case "":
      return refuse(cursor, "it ends with a backslash");
    default:
      if (/^[1-9]$/.test(char)) refuse(cursor, "there are no backreferences");
      if (/^[0-9A-Za-z<>]$/.test(char) || char > "\x7f") refuse(cursor, `there is no escape \`\\${char}\``);
      return range(char.charCodeAt(0), char.charCodeAt(0), fold);
  }
}

function parseProperty(cursor: Cursor, negated: boolean): CharSet {
  const name = takeIf(cursor, "{") ? takeUntil(cursor, "}", "the name of a Unicode class") : take(cursor);
  const body = unicodeProperty(name.replace(/!=|:/, "="));
  if (body === undefined) refuse(cursor, `there is no Unicode class ${JSON.stringify(name)}`);
  return negate(native(body, cursor.flags.fold), negated !== name.includes("!="));
}

function parseCode(cursor: Cursor, kind: "x" | "u" | "U"): CharSet {
  const length = { x: 2, u: 4, U: 8 }[kind];
  let digits: string;
  if (takeIf(cursor, "{")) digits = takeUntil(cursor, "}", "a character's number");
  else {
    digits = cursor.pattern.slice(cursor.at, cursor.at + length);
    cursor.at += digits.length;
    if (digits.length < length) refuse(cursor, "a character's number is too short");
  }
  const code = /^[0-9A-Fa-f]+$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
  if (!(code <= 0x10ffff) || (code >= 0xd800 && code < 0xe000)) refuse(cursor, `${digits} is no character's number`);
  return range(code, code, cursor.flags.fold);
}
