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

/** Whether a part other than `*` is what a character says. */
export function matchesOne(part: PatternPart, char: string): boolean {
  if (typeof part === "string") return part === char;
  if (part === ONE) return true;
  return part !== ANY && part.has(char) !== part.isNegated;
}

export type Chars = string | readonly string[];

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
