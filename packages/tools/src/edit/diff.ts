import { structuredPatch } from "diff";
import { countFitting, cutLine } from "../cap-output.ts";

const DIFF_CAPS = { lines: 200, bytes: 8 * 1024 };
const MAX_SHOWN_LINE = 500;
/** Above this many changed lines a diff costs more than it tells. */
const MAX_CHANGES = 2000;

export interface ChangedLines {
  /** Hunks with three lines of context, capped. */
  readonly text: string;
  readonly added: number;
  readonly removed: number;
}

/** What an edit did, as a unified diff for the model to check. Line ends are left out of it. */
export function changedLines(name: string, before: string, after: string): ChangedLines {
  const patch = structuredPatch(name, name, before, after, "", "", { context: 3, maxEditLength: MAX_CHANGES });
  if (!patch) return { text: "[too many changes to show]", ...countChanged(before, after) };
  const changes = patch.hunks.flatMap((hunk) => hunk.lines);
  const lines = patch.hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines.map((line) => cutLine(line.endsWith("\r") ? line.slice(0, -1) : line, MAX_SHOWN_LINE)),
  ]);
  const fitting = countFitting(lines, DIFF_CAPS);
  const note = fitting < lines.length ? [`[${lines.length - fitting} more lines of the diff]`] : [];
  return {
    text: [...lines.slice(0, fitting), ...note].join("\n"),
    added: changes.filter((line) => line.startsWith("+")).length,
    removed: changes.filter((line) => line.startsWith("-")).length,
  };
}

/** Without a diff: how many lines there are more or fewer. */
function countChanged(before: string, after: string): { added: number; removed: number } {
  const grown = after.split("\n").length - before.split("\n").length;
  return { added: Math.max(grown, 0), removed: Math.max(-grown, 0) };
}
