import { ANY, type CharSet, LINE_FEED, range } from "./char-set.ts";
import { type Cursor, enter, type Flags, peek, refuse, skipBlanks, take, takeIf, takeUntil } from "./cursor.ts";
import { parseClass } from "./parse-class.ts";
import { parseEscape } from "./parse-escape.ts";
import { concat, either, EMPTY, type Look, type Syntax } from "./syntax.ts";

export type PatternFlags = Partial<Pick<Flags, "fold" | "dotAll" | "crlf">>;

const FLAG_NAMES: Readonly<Record<string, keyof Flags>> = {
  i: "fold",
  s: "dotAll",
  m: "lines",
  U: "swapGreed",
  u: "unicode",
  x: "verbose",
  R: "crlf",
};

/**
 * Parses the syntax of Rust's `regex`, as ripgrep has it: Unicode classes, `^` and `$` at line ends. `EINVAL` for what is
 * not valid in it, so for lookaround and backreferences.
 */
export function parsePattern(pattern: string, flags: PatternFlags = {}): Syntax {
  const { fold = false, dotAll = false, crlf = false } = flags;
  const all: Flags = { fold, dotAll, lines: true, swapGreed: false, unicode: true, verbose: false, crlf };
  const cursor: Cursor = { pattern, at: 0, flags: all, depth: 0, names: new Set() };
  const syntax = parseEither(cursor);
  if (cursor.at < pattern.length) refuse(cursor, "a group is closed that is not open; a literal `)` is `\\)`");
  return syntax;
}

/** Text that stands for itself. */
export function parseLiteral(text: string, fold: boolean): Syntax {
  return concat(Array.from(text, (char) => charSyntax(char, fold)));
}

function charSyntax(char: string, fold: boolean): Syntax {
  const code = char.codePointAt(0) ?? 0;
  return { kind: "set", set: range(code, code, fold) };
}

function parseEither(cursor: Cursor): Syntax {
  const parts = [parseConcat(cursor)];
  while (takeIf(cursor, "|")) parts.push(parseConcat(cursor));
  return either(parts);
}

function parseConcat(cursor: Cursor): Syntax {
  const parts: Syntax[] = [];
  for (;;) {
    skipBlanks(cursor);
    const char = peek(cursor);
    if (char === "" || char === "|" || char === ")") return concat(parts);
    const atom = parseAtom(cursor);
    if (atom) parts.push(parseRepeats(cursor, atom));
  }
}

/** `undefined` for a group that only sets flags. */
function parseAtom(cursor: Cursor): Syntax | undefined {
  const { flags } = cursor;
  const char = take(cursor);
  switch (char) {
    case "(":
      return parseGroup(cursor);
    case "[":
      return { kind: "set", set: parseClass(cursor) };
    case "\\":
      return parseEscape(cursor);
    case ".":
      return { kind: "set", set: dot(flags) };
    case "^":
      return look(flags, "line-start", "crlf-line-start", "text-start");
    case "$":
      return look(flags, "line-end", "crlf-line-end", "text-end");
    case "*":
    case "+":
    case "?":
    case "{":
      return refuse(cursor, `\`${char}\` repeats nothing; a literal one is \`\\${char}\``);
    default:
      return charSyntax(char, flags.fold);
  }
}

function look({ lines, crlf }: Flags, plain: Look, withCrlf: Look, text: Look): Syntax {
  return { kind: "look", look: lines ? (crlf ? withCrlf : plain) : text, ascii: false };
}

function dot({ dotAll, crlf }: Flags): CharSet {
  if (dotAll) return ANY;
  return { op: "minus", of: [ANY, LINE_FEED, ...(crlf ? [range(13, 13, false)] : [])] };
}

function parseGroup(cursor: Cursor): Syntax | undefined {
  const before = cursor.flags;
  enter(cursor);
  if (takeIf(cursor, "?")) {
    if (/^<?[=!]/.test(cursor.pattern.slice(cursor.at, cursor.at + 2))) refuse(cursor, "there is no lookaround");
    if (takeIf(cursor, "P<") || takeIf(cursor, "<")) nameGroup(cursor);
    else if (!parseFlags(cursor)) {
      cursor.depth--;
      return undefined;
    }
  }
  const inner = parseEither(cursor);
  if (!takeIf(cursor, ")")) refuse(cursor, "a group is not closed; a literal `(` is `\\(`");
  cursor.flags = before;
  cursor.depth--;
  // Kept as a group, so that what follows repeats all of it.
  return inner.kind === "empty" ? EMPTY : inner;
}

function nameGroup(cursor: Cursor): void {
  const name = takeUntil(cursor, ">", "the name of a group");
  if (!/^[\p{Alphabetic}_][\p{Alphabetic}\p{N}_.[\]]*$/u.test(name))
    refuse(cursor, "a group has a name that is not valid");
  if (cursor.names.has(name)) refuse(cursor, `two groups have the name ${name}`);
  cursor.names.add(name);
}

/** Reads flags; true for a group with `:`, false when they hold until the enclosing group ends. */
function parseFlags(cursor: Cursor): boolean {
  const flags: { -readonly [K in keyof Flags]: Flags[K] } = { ...cursor.flags };
  let on = true;
  for (;;) {
    const char = take(cursor);
    if (char === ":" || char === ")") {
      cursor.flags = flags;
      return char === ":";
    }
    const name = FLAG_NAMES[char];
    if (char === "-" && on) on = false;
    else if (name) flags[name] = on;
    else refuse(cursor, char === "" ? "a group is not closed" : `there is no flag \`${char}\``);
  }
}

function parseRepeats(cursor: Cursor, atom: Syntax): Syntax {
  let part = atom;
  for (;;) {
    skipBlanks(cursor);
    const bounds = parseBounds(cursor);
    if (!bounds) return part;
    const [min, max] = bounds;
    const lazy = takeIf(cursor, "?") !== cursor.flags.swapGreed;
    part = max === 0 ? EMPTY : { kind: "repeat", part, min, max, lazy };
  }
}

function parseBounds(cursor: Cursor): readonly [number, number] | undefined {
  if (takeIf(cursor, "*")) return [0, Number.POSITIVE_INFINITY];
  if (takeIf(cursor, "+")) return [1, Number.POSITIVE_INFINITY];
  if (takeIf(cursor, "?")) return [0, 1];
  if (!takeIf(cursor, "{")) return undefined;
  const [text, min = "", comma, max] = /^\s*(\d+)\s*(,)?\s*(\d+)?\s*\}/.exec(cursor.pattern.slice(cursor.at)) ?? [];
  if (text === undefined) refuse(cursor, "a repetition in braces is not valid; a literal `{` is `\\{`");
  cursor.at += text.length;
  const bounds = [Number(min), max ? Number(max) : comma ? Number.POSITIVE_INFINITY : Number(min)] as const;
  if (bounds[0] > bounds[1]) refuse(cursor, "a repetition has bounds in the wrong order");
  return bounds;
}
