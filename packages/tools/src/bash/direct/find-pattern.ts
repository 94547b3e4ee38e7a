import { overLimit } from "./endings.ts";
import { ANY, type Chars, matchesOne, type Pattern } from "./pattern.ts";

/** No match begins here, nor at any place after it. */
export const NEVER: unique symbol = Symbol("never");

/**
 * Where the shortest or longest match ends that begins at `from`; undefined when there is none there. Throws when a text is
 * compared with a pattern more often than a tenth of a second allows.
 */
export type FindPattern = (chars: Chars, from: number, isLongest: boolean) => number | undefined | typeof NEVER;

/** Comparisons that one expansion may take. */
const MAX_COMPARED = 10_000_000;

/**
 * Looks for what is between the stars of a pattern, one after the other, each where it comes first; for a longest match, the
 * last one where it comes last. Where that fails, it fails from any later place too, since less is left: so a text is gone
 * through once for a pattern, and not once for each of its characters.
 */
export function findPattern(pattern: Pattern): FindPattern {
  const [first = [], ...rest] = stretchesOf(pattern);
  const last = rest.pop();
  let left = MAX_COMPARED;

  function isAt(stretch: Pattern, chars: Chars, at: number): boolean {
    if (at + stretch.length > chars.length) return false;
    for (let index = 0; index < stretch.length; index++) {
      if (--left < 0) throw overLimit("pattern: too many steps");
      if (!matchesOne(stretch[index] ?? ANY, chars[at + index] ?? "")) return false;
    }
    return true;
  }

  /** Where a stretch begins, at `from` or after it. */
  function firstOf(stretch: Pattern, chars: Chars, from: number): number {
    for (let at = from; at + stretch.length <= chars.length; at++) if (isAt(stretch, chars, at)) return at;
    return -1;
  }

  function lastOf(stretch: Pattern, chars: Chars, from: number): number {
    for (let at = chars.length - stretch.length; at >= from; at--) if (isAt(stretch, chars, at)) return at;
    return -1;
  }

  return (chars, from, isLongest) => {
    if (!isAt(first, chars, from)) return undefined;
    let at = from + first.length;
    if (!last) return at;
    for (const stretch of rest) {
      const start = firstOf(stretch, chars, at);
      if (start === -1) return NEVER;
      at = start + stretch.length;
    }
    const start = isLongest ? lastOf(last, chars, at) : firstOf(last, chars, at);
    return start === -1 ? NEVER : start + last.length;
  };
}

/** What is before, between and after the stars. */
function stretchesOf(pattern: Pattern): Pattern[] {
  const stretches: Pattern[number][][] = [[]];
  for (const part of pattern) {
    if (part === ANY) stretches.push([]);
    else stretches.at(-1)?.push(part);
  }
  return stretches;
}
