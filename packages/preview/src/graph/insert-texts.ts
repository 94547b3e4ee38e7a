/** Something put into a text: where, and what. Of those at one place, the first of the list comes first. */
export type Insertion = readonly [offset: number, text: string];

/** A place of a text, both from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** What was put into the lines of a text, by line: from which column on of the new line, and how long. */
export type Inserted = ReadonlyMap<number, readonly { readonly column: number; readonly length: number }[]>;

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

/** Where in a new text is what was put into it, none of which has a line end. */
export function insertedIn(text: string, insertions: readonly Insertion[]): Inserted {
  const inserted = new Map<number, { column: number; length: number }[]>();
  let line = 1;
  let lineStart = 0;
  let added = 0;
  for (const [offset, { length }] of insertions) {
    const start = offset + added;
    for (let end = text.indexOf("\n", lineStart); end !== -1 && end < start; end = text.indexOf("\n", lineStart)) {
      line += 1;
      lineStart = end + 1;
    }
    const here = inserted.get(line) ?? [];
    inserted.set(line, here);
    here.push({ column: start - lineStart + 1, length });
    added += length;
  }
  return inserted;
}

/** Where a place of the new text was before. */
export function placeBefore(inserted: Inserted, { line, column }: TextPlace): TextPlace {
  let before = column;
  for (const one of inserted.get(line) ?? []) {
    if (one.column >= column) break;
    before -= Math.min(one.length, column - one.column);
  }
  return { line, column: before };
}
