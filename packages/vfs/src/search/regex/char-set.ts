/**
 * A set of characters. Unicode data and case folding are those of the engine: a `native` leaf is the inside of a JavaScript
 * class, made here and never by a caller, and it is only ever tested against one character.
 */
export type CharSet =
  | { readonly op: "range"; readonly from: number; readonly to: number; readonly fold: boolean }
  | { readonly op: "native"; readonly body: string; readonly fold: boolean }
  | { readonly op: "not"; readonly of: CharSet }
  | { readonly op: "or" | "and" | "minus" | "xor"; readonly of: readonly CharSet[] };

const MAX_CODE_POINT = 0x10ffff;
export const ANY: CharSet = range(0, MAX_CODE_POINT, false);
export const LINE_FEED: CharSet = range(10, 10, false);
export const WORD_BODY = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}";
export const ASCII_WORD_BODY = "0-9A-Za-z_";

/** Characters between two, both included; with `fold` also those that differ from one of them in case alone. */
export function range(from: number, to: number, fold: boolean): CharSet {
  return { op: "range", from, to, fold: fold && !isCaseless(from, to) };
}

export function native(body: string, fold: boolean): CharSet {
  return { op: "native", body, fold };
}

export function negate(of: CharSet, negated: boolean): CharSet {
  return negated ? { op: "not", of } : of;
}

export function union(of: readonly CharSet[]): CharSet {
  const [only] = of;
  return of.length === 1 && only ? only : { op: "or", of };
}

/** The one character of a set; `undefined` when there may be more. */
export function onlyChar(set: CharSet): number | undefined {
  if (set.op === "or" && set.of.length === 1 && set.of[0]) return onlyChar(set.of[0]);
  return set.op === "range" && set.from === set.to && !set.fold ? set.from : undefined;
}

/** A test of one code point. */
export function toTest(set: CharSet): (codePoint: number) => boolean {
  switch (set.op) {
    case "range": {
      const { from, to, fold } = set;
      if (!fold) return (codePoint) => codePoint >= from && codePoint <= to;
      return classTest(`${escapeChar(from)}-${escapeChar(to)}`, true);
    }
    case "native":
      return classTest(set.body, set.fold);
    case "not": {
      const test = toTest(set.of);
      return (codePoint) => !test(codePoint);
    }
    default:
      return combine(set.op, set.of.map(toTest));
  }
}

function combine(
  op: "or" | "and" | "minus" | "xor",
  tests: readonly ((at: number) => boolean)[],
): (at: number) => boolean {
  switch (op) {
    case "or":
      return (codePoint) => tests.some((test) => test(codePoint));
    case "and":
      return (codePoint) => tests.every((test) => test(codePoint));
    case "minus":
      return (codePoint) => tests.every((test, index) => test(codePoint) === (index === 0));
    case "xor":
      return (codePoint) => tests.filter((test) => test(codePoint)).length % 2 === 1;
  }
}

function classTest(body: string, fold: boolean): (codePoint: number) => boolean {
  const expression = new RegExp(`^[${body}]$`, fold ? "iu" : "u");
  return (codePoint) => expression.test(String.fromCodePoint(codePoint));
}

function escapeChar(codePoint: number): string {
  return `\\u{${codePoint.toString(16)}}`;
}

function isCaseless(from: number, to: number): boolean {
  if (from !== to || from > 127) return false;
  const char = String.fromCharCode(from);
  return char.toLowerCase() === char.toUpperCase();
}

/** The characters that a set names, one by one or as the ends of a range. */
export function namedChars(set: CharSet): number[] {
  if (set.op === "range") return set.from === 0 && set.to === MAX_CODE_POINT ? [] : [set.from, set.to];
  if (set.op === "native") return [];
  return set.op === "not" ? namedChars(set.of) : set.of.flatMap(namedChars);
}
