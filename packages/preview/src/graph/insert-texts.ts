/** Something put into a text: where, and what. Of those at one place, the first of the list comes first. */
export type Insertion = readonly [offset: number, text: string];

/** A place of a text, both from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** A text, and what was put into it to make it, none of which has a line end, in the order of the places. */
export interface Inserted {
  readonly code: string;
  readonly insertions: readonly Insertion[];
}

/** The text with what is put into it, which is in the order of its places. */
export function insertTexts(text: string, insertions: readonly Insertion[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const [offset, addition] of insertions) {
    pieces.push(text.slice(at, offset), addition);
    at = offset;
  }
  pieces.push(text.slice(at));
  return pieces.join("");
}

/** Where a place of the new text was before. It is asked for few places, so that nothing is kept for it. */
export function placeBefore({ code, insertions }: Inserted, { line, column }: TextPlace): TextPlace {
  let lineStart = 0;
  for (let before = 1; before < line; before += 1) lineStart = code.indexOf("\n", lineStart) + 1;
  const place = lineStart + column - 1;
  let added = 0;
  let addedBefore = 0;
  for (const [offset, { length }] of insertions) {
    const start = offset + added;
    if (start >= place) break;
    if (start >= lineStart) addedBefore += Math.min(length, place - start);
    added += length;
  }
  return { line, column: column - addedBefore };
}
