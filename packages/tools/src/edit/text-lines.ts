/** A line of a text: its content, and its line end as it is there; the end is empty after a last line without one. */
export interface TextLine {
  readonly content: string;
  readonly end: string;
}

/** A text and where its lines are, found once. */
export interface LinedText {
  readonly text: string;
  /** The character that every line end has at its end. */
  readonly breakChar: "\n" | "\r";
  /** Where each line starts. There is always one; the last one may be empty. */
  readonly starts: readonly number[];
}

/** A lone CR is a line end only in a text that has no LF; elsewhere it is a character like others. */
export function linesOf(text: string): LinedText {
  const breakChar = !text.includes("\n") && text.includes("\r") ? "\r" : "\n";
  const starts = [0];
  for (let at = text.indexOf(breakChar); at !== -1; at = text.indexOf(breakChar, at + 1)) starts.push(at + 1);
  return { text, breakChar, starts };
}

/** Where the content of a line ends, its line end not included. */
export function contentEnd({ text, breakChar, starts }: LinedText, line: number): number {
  const next = starts[line + 1];
  if (next === undefined) return text.length;
  return breakChar === "\n" && next >= 2 + starts[line]! && text[next - 2] === "\r" ? next - 2 : next - 1;
}

export function lineAt(lined: LinedText, line: number): TextLine {
  const end = contentEnd(lined, line);
  const next = lined.starts[line + 1] ?? lined.text.length;
  return { content: lined.text.slice(lined.starts[line], end), end: lined.text.slice(end, next) };
}

/** The lines of a part of a text; their contents and ends joined are the part. */
export function linesBetween({ text, breakChar }: LinedText, start: number, end: number): TextLine[] {
  const lines: TextLine[] = [];
  const pattern = breakChar === "\r" ? /\r/g : /\r?\n/g;
  const part = text.slice(start, end);
  let at = 0;
  for (const match of part.matchAll(pattern)) {
    lines.push({ content: part.slice(at, match.index), end: match[0] });
    at = match.index + match[0].length;
  }
  lines.push({ content: part.slice(at), end: "" });
  return lines;
}

/** How a line ends; where it does not, how the line before it does. */
export function lineEndNear(lined: LinedText, line: number): string {
  return lineAt(lined, line).end || (line > 0 ? lineAt(lined, line - 1).end : "") || "\n";
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
