import type { GitDiffForm } from "@tenrec/protocol";
import { structuredPatch } from "diff";

/** Beyond this many edits, the parts that differ are given as one block: finding the shortest edit takes its square. */
const MAX_EDITS = 2000;
const CONTEXT = 3;

export interface Hunks {
  /** Empty for texts that are the same. */
  readonly text: string;
  readonly added: number;
  readonly removed: number;
}

interface Hunk {
  /** First line from 1, or the line before when there are none. */
  readonly oldStart: number;
  readonly newStart: number;
  /** With their signs. */
  readonly lines: readonly string[];
}

/** The hunks of a unified diff as git prints them. */
export function unifiedHunks(before: string, after: string, form: GitDiffForm = {}): Hunks {
  if (before === after) return { text: "", added: 0, removed: 0 };
  const hunks = shortestHunks(before, after, form) ?? [blockHunk(before, after, form.context ?? CONTEXT)];
  const count = (sign: string): number =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0);
  return { text: hunks.map(hunkText).join(""), added: count("+"), removed: count("-") };
}

function shortestHunks(
  before: string,
  after: string,
  { context = CONTEXT, ignoreSpace }: GitDiffForm,
): Hunk[] | undefined {
  const comparator = ignoreSpace && comparatorOf(ignoreSpace);
  const options = { context, maxEditLength: MAX_EDITS, ...(comparator ? { comparator } : {}) };
  const patch = structuredPatch("", "", before, after, undefined, undefined, options);
  return patch?.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    oldStart: oldLines === 0 ? oldStart - 1 : oldStart,
    newStart: newLines === 0 ? newStart - 1 : newStart,
    lines: lines.map((line) => `${line}\n`),
  }));
}

const BLANKS: Readonly<Record<NonNullable<GitDiffForm["ignoreSpace"]>, (line: string) => string>> = {
  all: (line) => line.replace(/\s+/g, ""),
  amount: (line) => line.trimEnd().replace(/\s+/g, " "),
  end: (line) => line.trimEnd(),
};

/** A line is compared with many: what counts of it is worked out once. */
function comparatorOf(ignoreSpace: keyof typeof BLANKS): (a: string, b: string) => boolean {
  const known = new Map<string, string>();
  const counted = (line: string): string => {
    let text = known.get(line);
    if (text === undefined) known.set(line, (text = BLANKS[ignoreSpace](line)));
    return text;
  };
  return (a, b) => a === b || counted(a) === counted(b);
}

function hunkText({ oldStart, newStart, lines }: Hunk): string {
  const range = (start: number, other: string): string => {
    const count = lines.filter((line) => !line.startsWith(other) && !line.startsWith("\\")).length;
    return count === 1 ? `${start}` : `${start},${count}`;
  };
  return `@@ -${range(oldStart, "+")} +${range(newStart, "-")} @@\n${lines.join("")}`;
}

function blockHunk(before: string, after: string, context: number): Hunk {
  const old = splitLines(before);
  const now = splitLines(after);
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const from = Math.max(0, head - context);
  const rest = Math.min(tail, context);
  const start = (lines: string[]): number => (lines.length - tail + rest - from === 0 ? from : from + 1);
  const signed = (sign: string, lines: string[]): string[] => lines.map((line) => sign + line);
  const lines = [
    ...signed(" ", old.slice(from, head)),
    ...signed("-", old.slice(head, old.length - tail)),
    ...signed("+", now.slice(head, now.length - tail)),
    ...signed(" ", old.slice(old.length - tail, old.length - tail + rest)),
  ];
  const ended = lines.flatMap((line) =>
    line.endsWith("\n") ? [line] : [`${line}\n`, "\\ No newline at end of file\n"],
  );
  return { oldStart: start(old), newStart: start(now), lines: ended };
}

/** Lines with their ends; the last one may have none. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
