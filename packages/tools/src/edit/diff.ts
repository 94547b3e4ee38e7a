import { structuredPatch } from "diff";
import { countFitting, cutLine } from "../cap-output.ts";
import type { Replacement } from "./apply.ts";
import { applyReplacements } from "./apply.ts";
import type { LinedText } from "./text-lines.ts";
import { lastAtMost } from "./text-lines.ts";

const DIFF_CAPS = { lines: 200, bytes: 8 * 1024 };
const MAX_SHOWN_LINE = 500;
const CONTEXT = 3;
/** Above this many changed lines side by side, the shortest difference costs more than it tells. */
const MAX_CHANGES = 1000;

export interface ChangedLines {
  /** Hunks with three lines of context, capped. */
  readonly text: string;
  readonly added: number;
  readonly removed: number;
}

type Piece = Pick<Replacement, "start" | "end" | "text">;

/** Neighbouring pieces, and the lines from the first of them to the last. */
interface Region {
  readonly pieces: Piece[];
  readonly first: number;
  last: number;
}

/**
 * What an edit did, as a unified diff for the model to check. Looks only at the lines around the pieces, which come in
 * order. Line ends are left out of it.
 */
export function changedLines(before: LinedText, pieces: readonly Piece[]): ChangedLines {
  const lines: string[] = [];
  const total = { added: 0, removed: 0 };
  for (const region of regionsOf(before, pieces)) {
    // Beyond what is shown, the lines are only counted.
    const hunks = lines.length <= DIFF_CAPS.lines ? hunksOf(before, region, total.added - total.removed) : undefined;
    const changed = hunks?.flatMap((hunk) => hunk.lines) ?? blockOf(before, region).lines;
    // One more than is shown tells that there is more.
    for (const hunk of hunks ?? []) lines.push(hunk.header, ...hunk.lines.slice(0, DIFF_CAPS.lines + 1));
    total.added += changed.filter((line) => line.startsWith("+")).length;
    total.removed += changed.filter((line) => line.startsWith("-")).length;
  }
  const shown = lines.slice(0, DIFF_CAPS.lines).map((line) => cutLine(line.replace(/\r$/, ""), MAX_SHOWN_LINE));
  const fitting = countFitting(shown, DIFF_CAPS);
  const note = fitting < lines.length ? ["[the rest of the diff is left out]"] : [];
  return { text: [...shown.slice(0, fitting), ...note].join("\n"), ...total };
}

function regionsOf({ starts }: LinedText, pieces: readonly Piece[]): Region[] {
  const regions: Region[] = [];
  for (const piece of pieces) {
    const first = lastAtMost(starts, piece.start);
    const last = lastAtMost(starts, piece.end);
    const open = regions.at(-1);
    if (open && first <= open.last + 2 * CONTEXT + 1) {
      open.pieces.push(piece);
      open.last = last;
    } else regions.push({ pieces: [piece], first, last });
  }
  return regions;
}

interface Hunk {
  readonly header: string;
  readonly lines: readonly string[];
}

/** `grown` is by how many lines the text before the region has grown. */
function hunksOf(before: LinedText, region: Region, grown: number): Hunk[] {
  const first = Math.max(0, region.first - CONTEXT);
  const [old = "", now = ""] = sides(before, region, first, region.last + CONTEXT);
  const patch = structuredPatch("", "", old, now, "", "", { context: CONTEXT, maxEditLength: MAX_CHANGES });
  if (!patch) {
    const { skipped, lines, counts } = blockOf(before, region);
    const at = region.first + skipped;
    return [{ header: headerOf(at, counts[0], at + grown, counts[1]), lines }];
  }
  return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    header: headerOf(first + oldStart - 1, oldLines, first + grown + newStart - 1, newLines),
    lines,
  }));
}

/** From lines that count from 0. A side without lines stands behind the line before. */
function headerOf(from: number, fromLines: number, to: number, toLines: number): string {
  const start = (line: number, count: number): number => (count === 0 ? line : line + 1);
  return `@@ -${start(from, fromLines)},${fromLines} +${start(to, toLines)},${toLines} @@`;
}

/** A region's lines before and after, without those at its ends that stay; not the shortest difference. */
function blockOf(
  before: LinedText,
  region: Region,
): { skipped: number; lines: readonly string[]; counts: readonly [number, number] } {
  const [old = [], now = []] = sides(before, region, region.first, region.last).map((text) => text.split("\n"));
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const [gone, come] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)];
  const lines = [...gone.map((line) => `-${line}`), ...come.map((line) => `+${line}`)];
  return { skipped: head, lines, counts: [gone.length, come.length] };
}

function sides({ text, breakChar, starts }: LinedText, { pieces }: Region, first: number, last: number): string[] {
  const from = starts[first] ?? 0;
  const to = starts[last + 1] ?? text.length;
  const both = [text.slice(from, to), applyReplacements(text, pieces, from, to)];
  return breakChar === "\r" ? both.map((side) => side.replaceAll("\r", "\n")) : both;
}
