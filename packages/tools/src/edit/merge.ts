import { diffArrays } from "diff";
import type { EditTarget, TextEdit } from "./target.ts";
import type { TextLine } from "./text-lines.ts";
import { lastAtMost, splitLines, splitWritten } from "./text-lines.ts";

/** Above this many lines the new text is not compared with the old one line by line. */
const MAX_COMPARED_LINES = 2000;

/**
 * What to put in place of `target.text.slice(start, end)`. A line that the model left as it was keeps the file's bytes, so
 * its line end, its trailing blanks and its quotes; a line that it changed is as the model wrote it, and ends as the lines
 * at its place do.
 */
export function mergeText(target: EditTarget, start: number, end: number, { oldText, newText }: TextEdit): string {
  const written = splitWritten(newText);
  const old = splitWritten(oldText);
  const found = splitLines(target.text.slice(start, end), target.lineEnd);
  const fallback = lineEndAt(target, start);
  // An exact match of text with lone CRs or the like: its lines are not those of the file.
  if (found.length !== old.length) return written.join(fallback);
  const contents: string[] = [];
  const ends: string[] = [];
  for (const { lines, kept } of compare(old, written, found)) {
    for (const [index, line] of lines.entries()) {
      contents.push(line);
      ends.push(kept[index]?.end || ends.at(-1) || fallback);
    }
  }
  return contents.map((content, index) => (index < contents.length - 1 ? content + ends[index]! : content)).join("");
}

/** A run of new lines, with the file's lines at their place, from which they take their ends. */
interface Run {
  readonly lines: readonly string[];
  readonly kept: readonly TextLine[];
}

function compare(old: string[], written: string[], found: readonly TextLine[]): Run[] {
  if (old.length + written.length > MAX_COMPARED_LINES) return [{ lines: written, kept: found }];
  const runs: Run[] = [];
  let at = 0;
  let removed: readonly TextLine[] = [];
  for (const { value, added, removed: gone } of diffArrays(old, written)) {
    const here = added ? [] : found.slice(at, at + value.length);
    at += here.length;
    if (gone) removed = here;
    else if (added) runs.push({ lines: value, kept: removed });
    else runs.push({ lines: here.map(({ content }) => content), kept: here });
    if (!gone) removed = [];
  }
  return runs;
}

/** How the line at an offset ends; where it does not, how the line before it does. */
function lineEndAt({ lines, starts }: EditTarget, offset: number): string {
  const line = lastAtMost(starts, offset);
  return lines[line]?.end || lines[line - 1]?.end || "\n";
}
