import { hasPairs, lengthOf } from "./byte-text.ts";

/** From a character on, counted from 1, so many of them; numbers that are not whole are cut. */
export function partOf(text: string, from: number, count: number = Number.POSITIVE_INFINITY): string {
  // What is no number counts as less than 1.
  const start = from >= 1 ? Math.trunc(from) - 1 : 0;
  const length = count >= 1 ? Math.trunc(count) : 0;
  if (!hasPairs(text)) return text.slice(start, start + length);
  return Array.from(text)
    .slice(start, start + length)
    .join("");
}

/** The number of the character at a place, from 1. */
export function characterNumber(text: string, at: number): number {
  return (hasPairs(text) ? lengthOf(text.slice(0, at)) : at) + 1;
}

/** Where a text is in another, from 1; 0 where it is not. */
export function placeIn(text: string, part: string, ignoreCase: boolean): number {
  const at = ignoreCase ? text.toLowerCase().indexOf(part.toLowerCase()) : text.indexOf(part);
  return at === -1 ? 0 : characterNumber(text, at);
}

/** Each character by itself: none becomes two. */
export function withCase(text: string, isUpper: boolean): string {
  const whole = isUpper ? text.toUpperCase() : text.toLowerCase();
  if (IS_ASCII.test(text)) return whole;
  return Array.from(text, (char) => {
    const changed = isUpper ? char.toUpperCase() : char.toLowerCase();
    return changed.length === char.length ? changed : char;
  }).join("");
}

const IS_ASCII = /^[\0-\x7f]*$/;
