/** A piece of a text, and what comes in its place. */
export type Edit = readonly [start: number, end: number, text: string];

/** The text with all edits, none of which overlap. Of those at one place, what is only put in comes first, in the order of the list. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = "";
  let at = 0;
  for (const [start, end, replacement] of edits.toSorted(([a, endA], [b, endB]) => a - b || endA - endB)) {
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at);
}
