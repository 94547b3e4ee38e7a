import { applyReplacements } from "../edit/apply.ts";
import type { FilePatch, Hunk } from "./file-patch.ts";
import { endsAsStated, hunkReplacement } from "./hunk-text.ts";
import { literalTarget } from "./patch-target.ts";
import { placeHunks } from "./place-hunks.ts";

/** Which hunks may only be at the start of a file, and which at its end. */
export type Edges = (hunk: Hunk) => { readonly start: boolean; readonly end: boolean };

/** How much context is before what a hunk changes, and behind it. */
function contextOf({ lines }: Hunk): { readonly before: number; readonly behind: number } {
  const first = lines.findIndex(({ sign }) => sign !== " ");
  const last = lines.findLastIndex(({ sign }) => sign !== " ");
  return { before: Math.max(0, first), behind: lines.length - 1 - last };
}

/** As `git apply` has it: without context behind it, a hunk is at the end of the file. */
export const gitEdges: Edges = (hunk) => ({
  start: (hunk.oldStart ?? 1) <= 1,
  end: contextOf(hunk).behind === 0,
});

/** As GNU patch has it: the side with less context is an end of the file. */
export const patchEdges: Edges = (hunk) => {
  const { before, behind } = contextOf(hunk);
  return { start: before < behind, end: behind < before };
};

export const noEdges: Edges = () => ({ start: false, end: false });

/** The text with all hunks applied to the byte, at whatever line; or the first hunk that does not fit so. */
export function patchStrictly(text: string, { hunks }: FilePatch, edges: Edges): { text: string } | { misfit: Hunk } {
  const target = literalTarget(text);
  const placed = hunks.map((hunk) => ({ ...hunk, atEnd: hunk.atEnd || edges(hunk).end }));
  const placements = placeHunks(target, placed, { format: "unified", levels: 1 });
  if ("index" in placements) return { misfit: placements.hunk };
  for (const placement of placements) {
    const { hunk, line, count } = placement;
    const { start, end } = edges(hunk);
    const isThere = (!start || line === 0) && (!end || line + count === target.contents.length);
    if (!isThere || !endsAsStated(target, placement)) return { misfit: hunk };
  }
  return {
    text: applyReplacements(
      text,
      placements.map((placement) => hunkReplacement(target, placement)),
    ),
  };
}

/** The patch that takes back what this one does. */
export function reversedPatch(file: FilePatch): FilePatch {
  const kinds = { create: "delete", set: "delete", delete: "create", update: "update", copy: "copy" } as const;
  const isMoved = file.kind === "update" && file.to !== undefined;
  return {
    ...file,
    ...(isMoved ? { path: file.to, to: file.path } : {}),
    kind: kinds[file.kind],
    hunks: file.hunks.map(reversedHunk),
  };
}

const OPPOSITE = { "+": "-", "-": "+", " ": " " } as const;

function reversedHunk(hunk: Hunk): Hunk {
  return { ...hunk, lines: hunk.lines.map((line) => ({ ...line, sign: OPPOSITE[line.sign] })) };
}
