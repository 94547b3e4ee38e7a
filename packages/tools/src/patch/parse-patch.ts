import type { Patch } from "./file-patch.ts";
import { patchFailed } from "./file-patch.ts";
import { parseCodexPatch } from "./parse-codex-patch.ts";
import { parseUnifiedDiff } from "./parse-unified-diff.ts";

const FORMS =
  'Begin with "*** Begin Patch" and "*** Update File: <path>", or with "--- a/<path>" and "+++ b/<path>" of a unified diff';

/** Reads a patch of either format, also from a code fence or a here-document. Throws `tool-failed` with the line at fault. */
export function parsePatch(text: string): Patch {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const first = lines.find((line) => line.trim() !== "");
  if (first === undefined) throw patchFailed(`the patch is empty. ${FORMS}`);
  // A patch whose own lines end with CRLF, and not only those that stand for lines of a file.
  const patch = first.endsWith("\r") ? lines.map((line) => line.replace(/\r$/, "")) : lines;
  const range = withoutBlank(patch, unwrap(patch));
  const begin = patch.slice(range.from, range.to).find((line) => line.trim() !== "") ?? "";
  if (begin.trim() === "*** Begin Patch") return parseCodexPatch(patch, range);
  if (/^\*\*\* (Add|Update|Delete) File: /.test(begin)) {
    throw patchFailed('the patch lacks its first line, "*** Begin Patch", or its last one, "*** End Patch"');
  }
  // A line of blanks at its end may be one of the last hunk.
  const diff = parseUnifiedDiff(patch, unwrap(patch));
  if (diff.files.length === 0) throw patchFailed(`there is no patch in it. ${FORMS}`);
  return diff;
}

/** Lines of a text, `to` not included. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** Without a fence or a here-document around it. */
function unwrap(lines: readonly string[]): LineRange {
  const all = { from: 0, to: lines.length };
  const { from, to } = withoutBlank(lines, all);
  const first = lines[from]?.trim() ?? "";
  const last = lines[to - 1]?.trim() ?? "";
  const fence = /^(`{3,}|~{3,})\w*$/.exec(first)?.[1];
  const word = /^(?:[\w-]+ )?<<-?\s*(['"]?)(\w+)\1$/.exec(first)?.[2];
  return last === (fence ?? word) ? { from: from + 1, to: to - 1 } : all;
}

/** Without blank lines at either end. */
function withoutBlank(lines: readonly string[], { from, to }: LineRange): LineRange {
  const isText = (line: string): boolean => line.trim() !== "";
  const inside = lines.slice(from, to);
  return { from: from + Math.max(0, inside.findIndex(isText)), to: from + inside.findLastIndex(isText) + 1 };
}
