/** A line of a text: its content, and its line end as it is there; the end is empty after a last line without one. */
export interface TextLine {
  readonly content: string;
  readonly end: string;
}

/** A lone CR is a line end only in a text that has no LF; elsewhere it is a character like others. */
export function lineEndPattern(text: string): RegExp {
  return !text.includes("\n") && text.includes("\r") ? /\r/g : /\r?\n/g;
}

/** The lines of a text; their contents and ends joined are the text. The last one may be empty. */
export function splitLines(text: string, end: RegExp): TextLine[] {
  const lines: TextLine[] = [];
  let start = 0;
  for (const match of text.matchAll(end)) {
    lines.push({ content: text.slice(start, match.index), end: match[0] });
    start = match.index + match[0].length;
  }
  lines.push({ content: text.slice(start), end: "" });
  return lines;
}

/** What a model writes ends lines with LF or CRLF, whatever the file does. */
export function splitWritten(text: string): string[] {
  return text.split(/\r\n|\n/);
}

/** Index of the last entry that is at most `value`, in ascending numbers that begin with one that is. */
export function lastAtMost(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (ascending[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
