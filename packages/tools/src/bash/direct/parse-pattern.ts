import { ANY, type CharacterSet, ONE, type Pattern } from "./pattern.ts";

const CLASSES: Readonly<Record<string, RegExp>> = {
  alpha: /\p{L}/u,
  digit: /[0-9]/,
  alnum: /[\p{L}0-9]/u,
  upper: /\p{Lu}/u,
  lower: /\p{Ll}/u,
  space: /[\s]/,
  blank: /[ \t]/,
  punct: /[!-/:-@[-`{-~]/,
  xdigit: /[0-9A-Fa-f]/,
  word: /\w/,
};

/** The pattern of a text in which nothing is quoted but by `\`. */
export function parsePattern(text: string): Pattern {
  const parts: Pattern[number][] = [];
  const chars = Array.from(text);
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? "";
    if (char === "*") {
      if (parts.at(-1) !== ANY) parts.push(ANY);
    } else if (char === "?") parts.push(ONE);
    else if (char === "\\" && at + 1 < chars.length) parts.push(chars[++at] ?? "");
    else if (char === "[") {
      const set = parseSet(chars, at);
      parts.push(set?.set ?? "[");
      at = set?.end ?? at;
    } else parts.push(char);
  }
  return parts;
}

interface ParsedSet {
  readonly set: CharacterSet;
  /** Where its `]` is. */
  readonly end: number;
}

type CharacterTest = (char: string) => boolean;

/** What begins at a `[`, if it ends anywhere. */
function parseSet(chars: readonly string[], start: number): ParsedSet | undefined {
  const isNegated = chars[start + 1] === "!" || chars[start + 1] === "^";
  const first = isNegated ? start + 2 : start + 1;
  const tests: CharacterTest[] = [];
  // A `]` at the beginning is one of the characters.
  for (let at = first; at < chars.length;) {
    if (at > first && chars[at] === "]")
      return { set: { isNegated, has: (char) => tests.some((test) => test(char)) }, end: at };
    const item = parseClass(chars, at) ?? parseRange(chars, at);
    tests.push(item.test);
    at = item.end;
  }
  return undefined;
}

interface SetItem {
  readonly test: CharacterTest;
  readonly end: number;
}

/** `[:alpha:]` and the like. */
function parseClass(chars: readonly string[], at: number): SetItem | undefined {
  if (chars[at] !== "[" || chars[at + 1] !== ":") return undefined;
  const end = chars.indexOf(":", at + 2);
  const known = end !== -1 && chars[end + 1] === "]" ? CLASSES[chars.slice(at + 2, end).join("")] : undefined;
  return known && { test: (char) => known.test(char), end: end + 2 };
}

function parseRange(chars: readonly string[], start: number): SetItem {
  const [low, next] = parseCharacter(chars, start);
  if (chars[next] !== "-" || chars[next + 1] === "]" || next + 1 >= chars.length)
    return { test: (char) => char === low, end: next };
  const [high, end] = parseCharacter(chars, next + 1);
  const [from, to] = [codeOf(low), codeOf(high)];
  return { test: (char) => from <= codeOf(char) && codeOf(char) <= to, end };
}

const codeOf = (char: string): number => char.codePointAt(0) ?? 0;

/** A character, be it quoted, and where it ends. */
function parseCharacter(chars: readonly string[], at: number): readonly [char: string, end: number] {
  const isQuoted = chars[at] === "\\" && at + 1 < chars.length;
  return isQuoted ? [chars[at + 1] ?? "", at + 2] : [chars[at] ?? "", at + 1];
}

/** Such that `parsePattern` takes it as it is. */
export function quotePattern(text: string): string {
  return text.replace(/[*?[\]\\!^-]/g, "\\$&");
}
