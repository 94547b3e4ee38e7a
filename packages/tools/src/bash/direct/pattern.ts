import { overLimit } from "./endings.ts";

/** What a pattern of the shell consists of: a plain character, `*`, `?`, or a set in brackets. */
type PatternPart = string | typeof ANY | typeof ONE | CharacterSet;

export const ANY: unique symbol = Symbol("*");
export const ONE: unique symbol = Symbol("?");

export interface CharacterSet {
  readonly isNegated: boolean;
  readonly has: (char: string) => boolean;
}

export type Pattern = readonly PatternPart[];

/** The text of a pattern that matches nothing else; undefined for all others. */
export function plainText(pattern: Pattern): string | undefined {
  let text = "";
  for (const part of pattern) {
    if (typeof part !== "string") return undefined;
    text += part;
  }
  return text;
}

function matchesOne(part: PatternPart, char: string): boolean {
  if (typeof part === "string") return part === char;
  if (part === ONE) return true;
  return part !== ANY && part.has(char) !== part.isNegated;
}

type Chars = string | readonly string[];

/** By characters, not by units of UTF-16. */
export function charsOf(text: string): Chars {
  return /[\ud800-\udfff]/.test(text) ? Array.from(text) : text;
}

/** Whether all of a text is what a pattern says; in time of their product, whatever the pattern. */
export function matchesWhole(pattern: Pattern, text: string): boolean {
  const chars = charsOf(text);
  let [at, place, star, mark] = [0, 0, -1, 0];
  while (at < chars.length) {
    const part = pattern[place];
    if (part === ANY) {
      star = place++;
      mark = at;
    } else if (part !== undefined && matchesOne(part, chars[at] ?? "")) {
      at++;
      place++;
    } else if (star !== -1) {
      place = star + 1;
      at = ++mark;
    } else return false;
  }
  while (pattern[place] === ANY) place++;
  return place === pattern.length;
}

/** Steps that one expansion may take: some tenths of a second. */
const MAX_STEPS = 10_000_000;

/** Counts what matching does. */
export class Steps {
  #left = MAX_STEPS;

  take(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw overLimit("pattern: too many steps");
  }
}

/** Where the shortest or longest match ends that begins at `from`; undefined when there is none. */
export function matchEnd(
  pattern: Pattern,
  chars: Chars,
  from: number,
  isLongest: boolean,
  steps: Steps,
): number | undefined {
  // The places in the pattern that are reached, in order.
  let places = withoutAny(pattern, [0]);
  let found: number | undefined;
  for (let at = from; places.length > 0; at++) {
    if (places.includes(pattern.length)) {
      found = at;
      // What ends with a `*` has its longest match at the end.
      if (isLongest && pattern.at(-1) === ANY) return chars.length;
      if (!isLongest) return found;
    }
    if (at >= chars.length) break;
    steps.take(places.length);
    const char = chars[at] ?? "";
    const next: number[] = [];
    for (const place of places) {
      const part = pattern[place];
      if (part === undefined) continue;
      const to = part === ANY ? place : matchesOne(part, char) ? place + 1 : -1;
      if (to !== -1 && !next.includes(to)) next.push(to);
    }
    places = withoutAny(pattern, next);
  }
  return found;
}

/** With the places that are reached through a `*` that takes nothing. */
function withoutAny(pattern: Pattern, places: readonly number[]): number[] {
  const all = new Set<number>();
  for (const place of places) {
    all.add(place);
    for (let to = place; pattern[to] === ANY; to++) all.add(to + 1);
  }
  return [...all];
}
