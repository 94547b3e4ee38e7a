import type { Hunk, HunkLine } from "./file-patch.ts";
import { malformed } from "./file-patch.ts";

const NUMBERS = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

export function isHunkHeader(line: string): boolean {
  return line.startsWith("@@ -") || line.trim() === "@@" || /^@@ .* @@/.test(line);
}

/**
 * The hunks of one file from `lines[from]` on, and where the next file begins. Counts in a header are believed when the
 * lines bear them out; models get them wrong, and then a hunk goes to the next header.
 */
export function readUnifiedHunks(
  lines: readonly string[],
  from: number,
  to: number,
): { readonly hunks: readonly Hunk[]; readonly next: number } {
  const hunks: Hunk[] = [];
  let at = from;
  while (at < to && lines[at]?.startsWith("@@")) {
    const numbers = NUMBERS.exec(lines[at] ?? "");
    const anchor = numbers ? "" : lines[at]!.replace(/^@@ ?| ?@@$/g, "");
    const count = (text: string | undefined): number => (text === undefined ? 1 : Number(text));
    const end =
      (numbers && countedEnd(lines, at + 1, to, count(numbers[2]), count(numbers[4]))) ?? looseEnd(lines, at + 1, to);
    const read = readLines(lines, at + 1, end);
    if (read.length === 0) throw malformed(at + 1, "the hunk has no lines");
    hunks.push({
      anchors: anchor.trim() === "" ? [] : [anchor],
      lines: read,
      atEnd: false,
      ...(numbers ? { oldStart: Number(numbers[1]) } : {}),
      at: at + 1,
    });
    at = end;
    while (at < to && lines[at]?.trim() === "") at += 1;
  }
  return { hunks, next: at };
}

/** Where a hunk with these counts of lines ends; undefined when they do not fit what is there. */
function countedEnd(
  lines: readonly string[],
  from: number,
  to: number,
  oldCount: number,
  newCount: number,
): number | undefined {
  let at = from;
  let [old, now] = [oldCount, newCount];
  for (; at < to && (old > 0 || now > 0); at += 1) {
    const sign = lines[at]![0] ?? " ";
    if (!" -+\\".includes(sign)) return undefined;
    if (" -".includes(sign)) old -= 1;
    if (" +".includes(sign)) now -= 1;
  }
  if (old !== 0 || now !== 0) return undefined;
  if (at < to && lines[at]!.startsWith("\\")) at += 1;
  return at >= to || isBoundary(lines, at) ? at : undefined;
}

/** Whether a line cannot be one more of a hunk; `-- ` comes before the version in a mail of git. */
function isBoundary(lines: readonly string[], at: number): boolean {
  return !/^[ +-]/.test(lines[at]!) || isNextFile(lines, at) || lines[at] === "-- ";
}

function looseEnd(lines: readonly string[], from: number, to: number): number {
  let at = from;
  while (at < to && !isHunkHeader(lines[at]!) && !isNextFile(lines, at) && /^([ +\\-]|$)/.test(lines[at]!)) at += 1;
  // Blank lines between two files are no lines of the first one.
  while (at > from && lines[at - 1] === "") at -= 1;
  return at;
}

function isNextFile(lines: readonly string[], at: number): boolean {
  if (lines[at]!.startsWith("diff --git ")) return true;
  return lines[at]!.startsWith("--- ") && (lines[at + 1]?.startsWith("+++ ") ?? false);
}

function readLines(lines: readonly string[], from: number, to: number): HunkLine[] {
  const read: HunkLine[] = [];
  for (const line of lines.slice(from, to)) {
    const last = read.at(-1);
    if (line.startsWith("\\")) {
      if (last) read[read.length - 1] = { ...last, noEnd: true };
    } else if (line === "") read.push({ sign: " ", text: "" });
    else read.push({ sign: line[0] as HunkLine["sign"], text: line.slice(1) });
  }
  return read;
}
