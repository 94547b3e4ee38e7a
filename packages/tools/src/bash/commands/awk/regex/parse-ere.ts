import { type Edge, EMPTY, type Expression } from "../../../../search/backtrack/expression.ts";
import { AwkError } from "../awk-error.ts";
import { escapeAt } from "../byte-text.ts";
import { type CharTest, parseBracket, SPACE, WORD } from "./parse-bracket.ts";

export interface ParsedEre {
  readonly expression: Expression;
  readonly groups: number;
}

interface Cursor {
  readonly source: string;
  readonly fold: boolean;
  at: number;
  groups: number;
  depth: number;
}

const MOST_DEPTH = 200;
const MOST_REPEATS = 32_767;

/** An extended regular expression with the escapes of awk and the additions of GNU's. */
export function parseEre(source: string, fold: boolean): ParsedEre {
  const cursor: Cursor = { source, fold, at: 0, groups: 0, depth: 0 };
  const expression = parseEither(cursor);
  if (cursor.at < source.length) refuse(cursor, "Unmatched ) or \\)");
  return { expression, groups: cursor.groups };
}

function refuse({ source }: Cursor, reason: string): never {
  throw new AwkError(`fatal: invalid regexp: ${reason}: /${source.slice(0, 1000)}/`);
}

function parseEither(cursor: Cursor): Expression {
  const options = [parseSequence(cursor)];
  while (cursor.source[cursor.at] === "|") {
    cursor.at++;
    options.push(parseSequence(cursor));
  }
  return options.length === 1 ? (options[0] ?? EMPTY) : { kind: "either", options };
}

function parseSequence(cursor: Cursor): Expression {
  const { source } = cursor;
  const parts: Expression[] = [];
  while (cursor.at < source.length) {
    const char = source.charAt(cursor.at);
    // Outside of a group it stands for itself, where GNU's says that it is unmatched.
    if (char === "|" || (char === ")" && cursor.depth > 0)) break;
    const last = parts.at(-1);
    const repeat = last === undefined || last.kind === "edge" ? undefined : takeRepeat(cursor);
    if (repeat && last) parts[parts.length - 1] = { kind: "repeat", part: last, mode: "greedy", ...repeat };
    else if (last?.kind === "edge" && "*+?".includes(char)) takeAfterEdge(cursor, parts);
    else parts.push(parseAtom(cursor));
  }
  return parts.length === 1 ? (parts[0] ?? EMPTY) : { kind: "sequence", parts };
}

/** A repetition of an anchor says nothing where there may be none of it, else nothing more. */
function takeAfterEdge(cursor: Cursor, parts: Expression[]): void {
  const last = parts.at(-1);
  const isFirst = parts.length === 1;
  // Behind a `^` it stands for itself.
  if (isFirst && last?.kind === "edge" && last.edge === "text-start" && cursor.source[cursor.at - 1] === "^") {
    parts.push(literal(cursor.source.charAt(cursor.at++), cursor.fold));
    return;
  }
  if (cursor.source[cursor.at] !== "+") parts[parts.length - 1] = EMPTY;
  cursor.at++;
}

interface Bounds {
  readonly min: number;
  readonly max: number;
}

const SIGNS: Readonly<Record<string, Bounds>> = {
  "*": { min: 0, max: Number.POSITIVE_INFINITY },
  "+": { min: 1, max: Number.POSITIVE_INFINITY },
  "?": { min: 0, max: 1 },
};

function takeRepeat(cursor: Cursor): Bounds | undefined {
  const { source, at } = cursor;
  const char = source.charAt(at);
  const sign = SIGNS[char];
  if (sign) cursor.at++;
  if (sign || char !== "{") return sign;
  const [text, low = "", comma = "", high = ""] = /^\{(\d*)(,?)(\d*)\}/.exec(source.slice(at, at + 20)) ?? [];
  if (text === undefined || low + high === "") return undefined;
  cursor.at += text.length;
  const min = Number(low);
  const max = comma === "" ? min : high === "" ? Number.POSITIVE_INFINITY : Number(high);
  if (min > max) refuse(cursor, "Invalid content of \\{\\}");
  const most = max === Number.POSITIVE_INFINITY ? min : max;
  if (most > MOST_REPEATS) refuse(cursor, "Regular expression too big");
  return { min, max };
}

function parseAtom(cursor: Cursor): Expression {
  const { source, fold } = cursor;
  const char = String.fromCodePoint(source.codePointAt(cursor.at) ?? 0);
  cursor.at += char.length;
  switch (char) {
    case "(":
      return parseGroup(cursor);
    case "[": {
      const { test, end, problem } = parseBracket(source, cursor.at, fold);
      if (problem !== undefined) refuse(cursor, problem);
      cursor.at = end;
      return { kind: "char", test };
    }
    case ".":
      return { kind: "char", test: () => true };
    case "^":
      return edge("text-start");
    case "$":
      return edge("text-end");
    case "\\":
      return parseEscape(cursor);
    default:
      return literal(char, fold);
  }
}

function parseGroup(cursor: Cursor): Expression {
  if (++cursor.depth > MOST_DEPTH) refuse(cursor, "Regular expression too big");
  const index = ++cursor.groups;
  const part = parseEither(cursor);
  if (cursor.source[cursor.at] !== ")") refuse(cursor, "Unmatched ( or \\(");
  cursor.at++;
  cursor.depth--;
  return { kind: "group", index, part };
}

const EDGES: Readonly<Record<string, Edge>> = {
  y: "word",
  B: "no-word",
  "<": "word-start",
  ">": "word-end",
  "`": "text-start",
  "'": "text-end",
};
const SETS: Readonly<Record<string, CharTest>> = {
  w: WORD,
  W: (char) => !WORD(char),
  s: SPACE,
  S: (char) => !SPACE(char),
};

function parseEscape(cursor: Cursor): Expression {
  const { source, at, fold } = cursor;
  const char = source.charAt(at);
  if (char === "") refuse(cursor, "Trailing backslash");
  const place = EDGES[char];
  const set = SETS[char];
  if (place !== undefined || set) {
    cursor.at++;
    return set ? { kind: "char", test: set } : edge(place ?? "word");
  }
  const found = escapeAt(source, at);
  if (found) {
    cursor.at += found.length;
    const parts = Array.from(found.char, (each) => literal(each, fold));
    return parts.length === 1 ? (parts[0] ?? EMPTY) : { kind: "sequence", parts };
  }
  const whole = String.fromCodePoint(source.codePointAt(at) ?? 0);
  cursor.at += whole.length;
  return literal(whole, fold);
}

function edge(which: Edge): Expression {
  return { kind: "edge", edge: which };
}

function literal(char: string, fold: boolean): Expression {
  if (!fold) return { kind: "char", test: (other) => other === char };
  const lower = char.toLowerCase();
  return { kind: "char", test: (other) => other.toLowerCase() === lower };
}
