import { ASCII_WORD_BODY, type CharSet, native, negate, onlyChar, range, union } from "./char-set.ts";
import { type Cursor, enter, peek, refuse, skipBlanks, take, takeIf } from "./cursor.ts";
import { parseEscapedSet } from "./parse-escape.ts";

const POSIX: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  ascii: "\\x00-\\x7f",
  blank: "\\t ",
  cntrl: "\\x00-\\x1f\\x7f",
  digit: "0-9",
  graph: "!-~",
  lower: "a-z",
  print: " -~",
  punct: "!-\\/:-@\\[-`\\{-~",
  space: "\\t-\\r ",
  upper: "A-Z",
  word: ASCII_WORD_BODY,
  xdigit: "0-9A-Fa-f",
};

const OPERATORS = { "&&": "and", "--": "minus", "~~": "xor" } as const;

/** A class; the cursor is behind its opening bracket. */
export function parseClass(cursor: Cursor): CharSet {
  enter(cursor);
  const negated = takeIf(cursor, "^");
  let items: CharSet[] = [];
  let left: { readonly op: "and" | "minus" | "xor"; readonly set: CharSet } | undefined;
  const joined = (): CharSet => {
    const right = union(items);
    return left ? { op: left.op, of: [left.set, right] } : right;
  };
  // Brackets and dashes in first place are plain.
  skipBlanks(cursor);
  while (takeIf(cursor, "-")) items.push(range(45, 45, false));
  if (items.length === 0 && takeIf(cursor, "]")) items.push(parseRange(cursor, range(93, 93, false)));
  for (;;) {
    skipBlanks(cursor);
    if (peek(cursor) === "") refuse(cursor, "a class is not closed; a literal `[` is `\\[`");
    if (takeIf(cursor, "]")) break;
    const op = takeOperator(cursor);
    if (op) {
      left = { op, set: joined() };
      items = [];
    } else items.push(parseItem(cursor));
  }
  cursor.depth--;
  return negate(joined(), negated);
}

function takeOperator(cursor: Cursor): "and" | "minus" | "xor" | undefined {
  for (const [text, op] of Object.entries(OPERATORS)) if (takeIf(cursor, text)) return op;
  return undefined;
}

function parseItem(cursor: Cursor): CharSet {
  if (peek(cursor) === "[") {
    const posix = takePosix(cursor);
    if (posix) return posix;
    cursor.at++;
    return parseClass(cursor);
  }
  return parseRange(cursor, takeChar(cursor));
}

function takePosix(cursor: Cursor): CharSet | undefined {
  const [text = "", not, name = ""] = /^\[:(\^?)(\w+):\]/.exec(cursor.pattern.slice(cursor.at, cursor.at + 20)) ?? [];
  const body = POSIX[name];
  if (body === undefined) return undefined;
  cursor.at += text.length;
  return negate(native(body, cursor.flags.fold), not === "^");
}

function takeChar(cursor: Cursor): CharSet {
  if (takeIf(cursor, "\\")) {
    if (/^[bBAz<>]/.test(peek(cursor))) refuse(cursor, `\`\\${peek(cursor)}\` has no meaning in a class`);
    return parseEscapedSet(cursor);
  }
  const code = take(cursor).codePointAt(0) ?? 0;
  return range(code, code, cursor.flags.fold);
}

/** `first`, or what lies between it and what follows a dash. */
function parseRange(cursor: Cursor, first: CharSet): CharSet {
  skipBlanks(cursor);
  const rest = cursor.pattern.slice(cursor.at, cursor.at + 2);
  if (!rest.startsWith("-") || rest === "-]" || rest === "--" || rest === "-") return first;
  cursor.at++;
  skipBlanks(cursor);
  const from = charOf(first);
  const to = charOf(takeChar(cursor));
  if (from === undefined || to === undefined) refuse(cursor, "a range in a class has an end that is not a character");
  if (from > to) refuse(cursor, "a range in a class has its ends in the wrong order");
  return range(from, to, cursor.flags.fold);
}

function charOf(set: CharSet): number | undefined {
  return set.op === "range" && set.from === set.to ? set.from : onlyChar(set);
}
