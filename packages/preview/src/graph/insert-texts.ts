/** Something put into a text: where, and what. Of those at one place, the first of the list comes first. */
export type Insertion = readonly [offset: number, text: string];

/** A place of a text, both from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** What was put into the lines of a text, by line: from which column on of the new line, and how long. */
export type Inserted = ReadonlyMap<number, readonly { readonly column: number; readonly length: number }[]>;

/** The text with what is put into it, none of which has a line end. */
export function insertTexts(text: string, insertions: readonly Insertion[]): { code: string; inserted: Inserted } {
  const pieces: string[] = [];
  const inserted = new Map<number, { column: number; length: number }[]>();
  let at = 0;
  let line = 1;
  let lineStart = 0;
  let added = 0;
  for (const [offset, addition] of insertions) {
    for (let end = text.indexOf("\n", at); end !== -1 && end < offset; end = text.indexOf("\n", end + 1)) {
      line += 1;
      lineStart = end + 1;
      added = 0;
    }
    pieces.push(text.slice(at, offset), addition);
    const here = inserted.get(line) ?? [];
    inserted.set(line, here);
    here.push({ column: offset - lineStart + added + 1, length: addition.length });
    added += addition.length;
    at = offset;
  }
  pieces.push(text.slice(at));
  return { code: pieces.join(""), inserted };
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
