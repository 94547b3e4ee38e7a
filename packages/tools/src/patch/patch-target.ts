/** A file's lines as a patch sees them. An end of the last line that has a line end is no line. */
export interface PatchTarget {
  readonly text: string;
  readonly contents: readonly string[];
  /** Where each line starts, and where the last one ends. */
  readonly starts: readonly number[];
  /** What ends a line that comes. */
  readonly lineEnd: string;
  /** The patch's lines are taken to the byte, a CR at their end included. */
  readonly isLiteral: boolean;
}

const BOM = "\ufeff";

/** For a patch of a program: only LF ends a line, and all else belongs to it. */
export function literalTarget(text: string): PatchTarget {
  return createTarget(text, /\n/g, 0, "\n", true);
}

/** For a patch of a model, which sees no line ends and no byte order mark: what comes ends as the file's first line does. */
export function lenientTarget(text: string): PatchTarget {
  const lineEnd = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
  return createTarget(text, /\r\n|\n|\r/g, text.startsWith(BOM) ? BOM.length : 0, lineEnd, false);
}

/** A line of the patch in the form in which the target has its lines. */
export function asInTarget(line: string, { isLiteral }: PatchTarget): string {
  if (isLiteral) return line;
  const text = line.startsWith(BOM) ? line.slice(BOM.length) : line;
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}

function createTarget(text: string, ends: RegExp, from: number, lineEnd: string, isLiteral: boolean): PatchTarget {
  const contents: string[] = [];
  const starts = [from];
  ends.lastIndex = from;
  let at = from;
  for (let match = ends.exec(text); match; match = ends.exec(text)) {
    contents.push(text.slice(at, match.index));
    at = match.index + match[0].length;
    starts.push(at);
  }
  if (at < text.length) {
    contents.push(text.slice(at));
    starts.push(text.length);
  }
  return { text, contents, starts, lineEnd, isLiteral };
}

/** A line as it is in the file, its end included. */
export function rawLine({ text, starts }: PatchTarget, line: number): string {
  return text.slice(starts[line], starts[line + 1]);
}

/** Whether a text has a line end at its end. */
export function endsLine(text: string, { isLiteral }: PatchTarget): boolean {
  return text.endsWith("\n") || (!isLiteral && text.endsWith("\r"));
}
