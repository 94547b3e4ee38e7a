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
    if (lines.length > DIFF_CAPS.lines) {
      const { old, now } = sides(before, region, 0);
      const { gone, come } = blockOf(linesOfSide(old), linesOfSide(now));
      total.added += come.length;
      total.removed += gone.length;
      continue;
    }
    for (const { header, lines: changed, added, removed } of hunksOf(before, region, total.added - total.removed)) {
      // One more than is shown tells that there is more.
      lines.push(header, ...changed.slice(0, DIFF_CAPS.lines + 1));
      total.added += added;
      total.removed += removed;
    }
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
  readonly added: number;
  readonly removed: number;
}

/** `grown` is by how many lines the text before the region has grown. */
function hunksOf(before: LinedText, region: Region, grown: number): Hunk[] {
  const { first, old, now } = sides(before, region, CONTEXT);
  const lines = linesOfSide(old);
  const block = blockOf(lines, linesOfSide(now));
  const only = (): Hunk[] => (isEmpty(block) ? [] : [hunkOf(block, lines, first, first + grown)]);
  // Where no line of the block stays, there is no shorter difference to be looked for, which takes most of the time of an
  // edit. A last line without a line end may differ in that alone.
  if (old.endsWith("\n") && now.endsWith("\n") && staysNothing(block)) return only();
  const patch = structuredPatch("", "", old, now, "", "", { context: CONTEXT, maxEditLength: MAX_CHANGES });
  if (!patch) return only();
  return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines: shown }) => ({
    header: headerOf(first + oldStart - 1, oldLines, first + grown + newStart - 1, newLines),
    lines: shown,
    added: shown.filter((line) => line.startsWith("+")).length,
    removed: shown.filter((line) => line.startsWith("-")).length,
  }));
}

/** From lines that count from 0. A side without lines stands behind the line before. */
function headerOf(from: number, fromLines: number, to: number, toLines: number): string {
  const start = (line: number, count: number): number => (count === 0 ? line : line + 1);
  return `@@ -${start(from, fromLines)},${fromLines} +${start(to, toLines)},${toLines} @@`;
}

/** Lines that go and lines that come at one place, after `head` lines that stay. */
interface Block {
  readonly head: number;
  readonly gone: readonly string[];
  readonly come: readonly string[];
}

/** The two sides without the lines at their ends that stay; not the shortest difference. */
function blockOf(old: readonly string[], now: readonly string[]): Block {
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  return { head, gone: old.slice(head, old.length - tail), come: now.slice(head, now.length - tail) };
}

function isEmpty({ gone, come }: Block): boolean {
  return gone.length === 0 && come.length === 0;
}

function staysNothing({ gone, come }: Block): boolean {
  const had = new Set(gone);
  return !come.some((line) => had.has(line));
}

/** A block as a hunk; `lines` are those of the old side, and `from` and `to` say where the sides begin. */
function hunkOf({ head, gone, come }: Block, lines: readonly string[], from: number, to: number): Hunk {
  const start = Math.max(0, head - CONTEXT);
  const above = lines.slice(start, head);
  const below = lines.slice(head + gone.length, head + gone.length + CONTEXT);
  const around = above.length + below.length;
  return {
    header: headerOf(from + start, around + gone.length, to + start, around + come.length),
    lines: [
      ...above.map((line) => ` ${line}`),
      ...gone.map((line) => `-${line}`),
      ...come.map((line) => `+${line}`),
      ...below.map((line) => ` ${line}`),
    ],
    added: come.length,
    removed: gone.length,
  };
}

/** A region before and after, with so many lines around it; `first` is the first of them. */
function sides(
  { text, breakChar, starts }: LinedText,
  region: Region,
  around: number,
): { readonly first: number; readonly old: string; readonly now: string } {
  const first = Math.max(0, region.first - around);
  const from = starts[first] ?? 0;
  const to = starts[region.last + around + 1] ?? text.length;
  const [old, now] = [text.slice(from, to), applyReplacements(text, region.pieces, from, to)];
  if (breakChar === "\n") return { first, old, now };
  return { first, old: old.replaceAll("\r", "\n"), now: now.replaceAll("\r", "\n") };
}

function linesOfSide(text: string): string[] {
  const lines = text.split("\n");
  // What follows on the last line end is no line.
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
