import { type Edge, EMPTY, type Expression, type ParsedExpression } from "./expression.ts";
import { parseCharEscape, parseClass } from "./parse-class.ts";
import {
  type Dialect,
  enter,
  type PatternCursor,
  type PatternFlags,
  peek,
  refuse,
  take,
  takeIf,
  takeMatch,
} from "./pattern-cursor.ts";

/** `EINVAL` for a pattern that is not valid, or has what is not offered, such as recursion. */
export function parseExpression(
  pattern: string,
  dialect: Dialect,
  given: Pick<PatternFlags, "fold" | "dotAll" | "lines">,
): ParsedExpression {
  const flags: PatternFlags = { ...given, blanks: false };
  const cursor: PatternCursor = { pattern, dialect, at: 0, depth: 0, groups: 0, names: new Map(), flags };
  const expression = parseEither(cursor);
  if (cursor.at < pattern.length) refuse(cursor, "a group is closed that is not open; a literal `)` is `\\)`");
  return { expression, groups: cursor.groups, names: cursor.names };
}

function parseEither(cursor: PatternCursor): Expression {
  const options = [parseSequence(cursor)];
  while (takeIf(cursor, "|")) options.push(parseSequence(cursor));
  return options.length === 1 ? (options[0] ?? EMPTY) : { kind: "either", options };
}

function parseSequence(cursor: PatternCursor): Expression {
  const parts: Expression[] = [];
  for (;;) {
    if (cursor.flags.blanks) takeMatch(cursor, /(?:\s|#.*)+/);
    const char = peek(cursor);
    if (char === "" || char === "|" || char === ")") return { kind: "sequence", parts };
    if (takeIf(cursor, "\\Q")) {
      const [, text = ""] = takeMatch(cursor, /([\s\S]*?)(?:\\E|$)/) ?? [];
      const chars = Array.from(text, (one) => charOf(one, cursor.flags));
      const last = chars.pop();
      parts.push(...chars, ...(last ? [parseRepeats(cursor, last)] : []));
      continue;
    }
    const atom = parseAtom(cursor);
    if (atom) parts.push(parseRepeats(cursor, atom));
  }
}

function parseAtom(cursor: PatternCursor): Expression | undefined {
  const { flags } = cursor;
  const char = take(cursor);
  switch (char) {
    case "(":
      return parseGroup(cursor);
    case "[":
      return setOf(parseClass(cursor), flags);
    case "\\":
      return parseEscape(cursor);
    case ".":
      return { kind: "char", test: flags.dotAll ? () => true : (one) => one !== "\n" };
    case "^":
      return edge(flags.lines ? "line-start" : "text-start");
    case "$":
      return edge(flags.lines ? "line-end" : cursor.dialect === "rust" ? "text-end" : "text-end-feed");
    case "*":
    case "+":
    case "?":
      return refuse(cursor, `\`${char}\` repeats nothing; a literal one is \`\\${char}\``);
    default:
      return charOf(char, flags);
  }
}

function edge(name: Edge): Expression {
  return { kind: "edge", edge: name };
}

function charOf(char: string, { fold }: PatternFlags): Expression {
  if (!fold || char.toLowerCase() === char.toUpperCase()) return { kind: "char", test: (one) => one === char };
  return setOf(`[\\u{${(char.codePointAt(0) ?? 0).toString(16)}}]`, { fold });
}

function setOf(source: string, { fold }: Pick<PatternFlags, "fold">): Expression {
  const expression = new RegExp(`^${source}$`, fold ? "vi" : "v");
  return { kind: "char", test: (char) => expression.test(char) };
}

const EDGES: Readonly<Record<string, Edge>> = {
  A: "text-start",
  z: "text-end",
  Z: "text-end-feed",
  b: "word",
  B: "no-word",
  "<": "word-start",
  ">": "word-end",
};

const NAMED_EDGES: Readonly<Record<string, Edge>> = {
  "{start}": "word-start",
  "{end}": "word-end",
  "{start-half}": "word-start-half",
  "{end-half}": "word-end-half",
};

function parseEscape(cursor: PatternCursor): Expression {
  const { fold } = cursor.flags;
  const char = peek(cursor);
  const named = EDGES[char];
  if (named) {
    cursor.at++;
    if (char === "b") {
      for (const [text, other] of Object.entries(NAMED_EDGES)) if (takeIf(cursor, text)) return edge(other);
    }
    return edge(named);
  }
  if (takeIf(cursor, "K")) return { kind: "keep" };
  if (takeIf(cursor, "R")) {
    const feed = setOf("[\\n-\\r\\u{85}\\u{2028}\\u{2029}]", { fold: false });
    const both = ["\r", "\n"].map((one) => charOf(one, cursor.flags));
    return { kind: "atomic", part: { kind: "either", options: [{ kind: "sequence", parts: both }, feed] } };
  }
  if (takeIf(cursor, "N")) return { kind: "char", test: (one) => one !== "\n" };
  const back = takeMatch(cursor, /([1-9]\d?)|g\{?([1-9]\d?)\}?|[kg](?:<(\w+)>|\{(\w+)\}|'(\w+)')/);
  if (back) {
    const number = back[1] ?? back[2];
    const name = back[3] ?? back[4] ?? back[5] ?? "";
    return { kind: "back", group: number === undefined ? name : Number(number), fold };
  }
  const member = parseCharEscape(cursor);
  return isOneChar(member) ? charOf(member, cursor.flags) : setOf(member, cursor.flags);
}

function isOneChar(text: string): boolean {
  return String.fromCodePoint(text.codePointAt(0) ?? 0) === text;
}

/** `undefined` for what only sets flags, or is a comment. */
function parseGroup(cursor: PatternCursor): Expression | undefined {
  const before = cursor.flags;
  enter(cursor);
  const wrap = parseGroupStart(cursor);
  cursor.depth--;
  if (!wrap) return undefined;
  cursor.depth++;
  const inner = parseEither(cursor);
  if (!takeIf(cursor, ")")) refuse(cursor, "a group is not closed; a literal `(` is `\\(`");
  cursor.flags = before;
  cursor.depth--;
  return wrap(inner);
}

type Wrap = (inner: Expression) => Expression;

function parseGroupStart(cursor: PatternCursor): Wrap | undefined {
  const name = takeMatch(cursor, /\?P?<([\p{L}_]\w*)>|\?'([\p{L}_]\w*)'/u);
  if (name || !takeIf(cursor, "?")) return capture(cursor, name?.[1] ?? name?.[2]);
  if (takeMatch(cursor, /#[^)]*\)/)) return undefined;
  const look = takeMatch(cursor, /(<?)([=!])/);
  if (look) {
    const [, behind, sign] = look;
    return (part) => ({ kind: "look", ahead: behind === "", negative: sign === "!", part });
  }
  if (takeIf(cursor, ">")) return (part) => ({ kind: "atomic", part });
  const same = takeMatch(cursor, /P=(\w+)/);
  if (same) {
    const { fold } = cursor.flags;
    return () => ({ kind: "back", group: same[1] ?? "", fold });
  }
  return parseFlags(cursor) ? (part) => part : undefined;
}

function capture(cursor: PatternCursor, name: string | undefined): Wrap {
  const index = ++cursor.groups;
  if (name !== undefined) cursor.names.set(name, index);
  return (part) => ({ kind: "group", index, part });
}

const FLAGS: Readonly<Record<string, keyof PatternFlags | null>> = {
  i: "fold",
  s: "dotAll",
  m: "lines",
  x: "blanks",
  u: null,
};

/** Reads flags; true for a group with `:`, false when they hold until the enclosing group ends. */
function parseFlags(cursor: PatternCursor): boolean {
  const flags: { -readonly [K in keyof PatternFlags]: boolean } = { ...cursor.flags };
  let on = true;
  for (;;) {
    const char = take(cursor);
    if (char === ":" || char === ")") {
      cursor.flags = flags;
      return char === ":";
    }
    const name = Object.hasOwn(FLAGS, char) ? FLAGS[char] : undefined;
    if (char === "-" && on) on = false;
    else if (name) flags[name] = on;
    else if (name === undefined) refuse(cursor, char === "" ? "a group is not closed" : `there is no group (?${char}`);
  }
}

function parseRepeats(cursor: PatternCursor, atom: Expression): Expression {
  let part = atom;
  for (;;) {
    if (cursor.flags.blanks) takeMatch(cursor, /(?:\s|#.*)+/);
    const bounds = parseBounds(cursor);
    if (!bounds) return part;
    const [min, max] = bounds;
    const mode = takeIf(cursor, "?")
      ? "lazy"
      : cursor.dialect === "perl" && takeIf(cursor, "+")
        ? "possessive"
        : "greedy";
    part = { kind: "repeat", part, min, max, mode };
  }
}

const MOST_REPEATS = 1000;

function parseBounds(cursor: PatternCursor): readonly [number, number] | undefined {
  if (takeIf(cursor, "*")) return [0, Number.POSITIVE_INFINITY];
  if (takeIf(cursor, "+")) return [1, Number.POSITIVE_INFINITY];
  if (takeIf(cursor, "?")) return [0, 1];
  const braces = takeMatch(cursor, /\{(\d+)(?:(,)(\d*))?\}/);
  if (!braces) return undefined;
  const min = Number(braces[1]);
  const max = braces[3] ? Number(braces[3]) : braces[2] ? Number.POSITIVE_INFINITY : min;
  if (min > max) refuse(cursor, "a repetition has bounds in the wrong order");
  if (min > MOST_REPEATS) refuse(cursor, "it repeats too much");
  return [min, max];
}
