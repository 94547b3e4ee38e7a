import { findPattern, NEVER } from "./find-pattern.ts";
import { ANY, charsOf, type Pattern, plainText } from "./pattern.ts";

const textOf = (chars: string | readonly string[], from: number, to?: number): string =>
  typeof chars === "string" ? chars.slice(from, to) : chars.slice(from, to).join("");

/** `${name#pattern}`, and with `##` when the longest is taken. */
export function withoutPrefix(text: string, pattern: Pattern, isLongest: boolean): string {
  // Such as `*/`, which is what nearly all are.
  const ending = pattern[0] === ANY ? plainText(pattern.slice(1)) : undefined;
  if (ending) {
    const at = isLongest ? text.lastIndexOf(ending) : text.indexOf(ending);
    return at === -1 ? text : text.slice(at + ending.length);
  }
  const chars = charsOf(text);
  const end = findPattern(pattern)(chars, 0, isLongest);
  return typeof end !== "number" ? text : textOf(chars, end);
}

/** `${name%pattern}`, and with `%%` when the longest is taken. */
export function withoutSuffix(text: string, pattern: Pattern, isLongest: boolean): string {
  const beginning = pattern.at(-1) === ANY ? plainText(pattern.slice(0, -1)) : undefined;
  if (beginning) {
    const at = isLongest ? text.indexOf(beginning) : text.lastIndexOf(beginning);
    return at === -1 ? text : text.slice(0, at);
  }
  const plain = plainText(pattern);
  if (plain !== undefined) return text.endsWith(plain) ? text.slice(0, text.length - plain.length) : text;
  const chars = Array.from(text).reverse();
  const end = findPattern([...pattern].reverse())(chars, 0, isLongest);
  return typeof end !== "number" ? text : chars.slice(end).reverse().join("");
}

export interface Replacing {
  readonly isAll: boolean;
  readonly anchor: "start" | "end" | null;
}

/** `${name/pattern/replacement}`: the longest match, and the first one first. */
export function replacePattern(
  text: string,
  pattern: Pattern,
  replacement: (match: string) => string,
  { isAll, anchor }: Replacing,
): string {
  if (pattern.length === 0) {
    if (anchor === "start") return replacement("") + text;
    return anchor === "end" ? text + replacement("") : text;
  }
  if (anchor === "end") {
    const chars = Array.from(text).reverse();
    const end = findPattern([...pattern].reverse())(chars, 0, true);
    if (typeof end !== "number") return text;
    return chars.slice(end).reverse().join("") + replacement(chars.slice(0, end).reverse().join(""));
  }
  const plain = plainText(pattern);
  if (plain !== undefined && anchor === null && isAll) return text.split(plain).join(replacement(plain));
  return replaceFrom(text, pattern, replacement, isAll, anchor === "start");
}

function replaceFrom(
  text: string,
  pattern: Pattern,
  replacement: (match: string) => string,
  isAll: boolean,
  isAtStart: boolean,
): string {
  const chars = charsOf(text);
  const find = findPattern(pattern);
  const results: string[] = [];
  let [at, kept] = [0, 0];
  while (at <= chars.length) {
    // An empty text is matched by what may match nothing, and the end of another text is not.
    if (at === chars.length && at > 0) break;
    const end = find(chars, at, true);
    if (end === NEVER) break;
    if (end !== undefined && (end > at || chars.length === 0)) {
      results.push(textOf(chars, kept, at), replacement(textOf(chars, at, end)));
      kept = end;
      at = end;
      if (!isAll) break;
      if (chars.length === 0) break;
    } else at++;
    if (isAtStart) break;
  }
  return results.join("") + textOf(chars, kept);
}
