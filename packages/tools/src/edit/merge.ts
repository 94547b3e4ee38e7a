import { diffArrays } from "diff";
import { normalizeLine, trimBlanks } from "./normalize.ts";
import type { EditTarget, TextEdit } from "./target.ts";
import type { TextLine } from "./text-lines.ts";
import { lastAtMost, lineEndNear, linesBetween, splitWritten } from "./text-lines.ts";

/** Above this many lines the new text is not compared with the old one line by line. */
const MAX_COMPARED_LINES = 2000;

/** Gives what to put in place of `target.text.slice(start, end)`. */
export type Merge = (target: EditTarget, start: number, end: number) => string;

/**
 * Of an edit. What the model left as it was keeps the file's bytes, so line ends, trailing blanks, and the quotes and
 * dashes of a line around what it changed; what it changed is as the model wrote it, and ends as the lines at its place do.
 */
export function mergeOf({ oldText, newText }: TextEdit): Merge {
  const old = splitWritten(oldText);
  const written = splitWritten(newText);
  const changes = lineChanges(old, written);
  return (target, start, end) => {
    const found = linesBetween(target, start, end);
    const fallback = lineEndNear(target, lastAtMost(target.starts, start));
    // An exact match of text with lone CRs or the like: its lines are not those of the file.
    if (found.length !== old.length) return written.join(fallback);
    const contents: string[] = [];
    const ends: string[] = [];
    for (const { from, count, lines } of changes) {
      const paired = count === lines.length;
      for (const [index, line] of lines.entries()) {
        const there = index < count ? found[from + index] : undefined;
        contents.push(paired && there ? keepUntouched(old[from + index] ?? "", line, there) : line);
        ends.push(there?.end || ends.at(-1) || fallback);
      }
    }
    return contents.map((content, index) => (index < contents.length - 1 ? content + ends[index]! : content)).join("");
  };
}

/** `count` old lines from `from` on become these. */
interface LineChange {
  readonly from: number;
  readonly count: number;
  readonly lines: readonly string[];
}

function lineChanges(old: string[], written: string[]): LineChange[] {
  if (old.length + written.length > MAX_COMPARED_LINES) return [{ from: 0, count: old.length, lines: written }];
  const changes: LineChange[] = [];
  let at = 0;
  let gone = 0;
  for (const { value, added, removed } of diffArrays(old, written)) {
    if (removed) gone = value.length;
    else if (added) {
      changes.push({ from: at, count: gone, lines: value });
      [at, gone] = [at + gone, 0];
    } else {
      at += gone;
      changes.push({ from: at, count: value.length, lines: value });
      [at, gone] = [at + value.length, 0];
    }
  }
  return changes;
}

/** The line that the model made of `old`, with the bytes that the file has where the model changed nothing. */
function keepUntouched(old: string, now: string, { content }: TextLine): string {
  if (content === old || normalizeLine(content) !== normalizeLine(old)) return now;
  const [oldBody, nowBody] = [trimBlanks(old), trimBlanks(now)];
  const length = normalizeLine(old).length;
  const shorter = Math.min(length, nowBody.length);
  let head = 0;
  while (head < shorter && old[head] === nowBody[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old[length - 1 - tail] === nowBody.at(-1 - tail)) tail += 1;
  const blanks = now.slice(nowBody.length);
  return [
    content.slice(0, head),
    nowBody.slice(head, nowBody.length - tail),
    content.slice(length - tail, length),
    oldBody === old && blanks === "" ? content.slice(length) : blanks,
  ].join("");
}
