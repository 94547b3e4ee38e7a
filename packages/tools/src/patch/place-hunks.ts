import type { Hunk, HunkLine, Patch } from "./file-patch.ts";
import type { PatchTarget } from "./patch-target.ts";
import type { Found, SeekOptions } from "./seek-lines.ts";
import { LineSeeker } from "./seek-lines.ts";

/** All the ways in which lines may differ. */
const LEVELS = 4;
const MAX_BLANK_LINES = 3;

/** A hunk and where it goes. */
export interface Placement {
  readonly hunk: Hunk;
  /** Those that count: a blank line at the end of a hunk may be none of it. */
  readonly lines: readonly HunkLine[];
  /** First line that it stands for, from 0, and how many there are. */
  readonly line: number;
  readonly count: number;
  readonly disregarded: string;
  /** All lines where it fits as well; more than one when it is not clear which is meant. */
  readonly places: readonly number[];
}

interface Nowhere {
  /** The anchor that is not there. */
  readonly anchor?: string;
}

/** A hunk that goes nowhere. */
export interface Misplaced extends Nowhere {
  readonly index: number;
  readonly hunk: Hunk;
  /** The last line of the hunks before it, from 0. */
  readonly from: number;
}

export interface PlaceOptions {
  readonly format: Patch["format"];
  /** How far lines may differ; see `LineSeeker`. */
  readonly levels?: number;
}

/**
 * Where each hunk goes, one after another. Of several places it is the first one; of a hunk with a line number, the one
 * nearest to that.
 */
export function placeHunks(
  target: PatchTarget,
  hunks: readonly Hunk[],
  options: PlaceOptions,
): readonly Placement[] | Misplaced {
  const seeker = new LineSeeker(target);
  const placements: Placement[] = [];
  let from = 0;
  let drift = 0;
  for (const [index, hunk] of hunks.entries()) {
    const isNumbered = options.format === "unified" && hunk.oldStart !== undefined;
    const placed = isNumbered
      ? placeNumbered(seeker, target, hunk, { from, drift, ...options })
      : placeAfter(seeker, target, hunk, { from, ...options });
    if (!("line" in placed)) return { index, hunk, from, ...placed };
    placements.push(placed);
    // What only comes at the end of the file says nothing about where the next one is.
    if (placed.count > 0 || placed.line < target.contents.length) from = placed.line + placed.count;
    if (isNumbered) drift = placed.line - statedLine(hunk);
  }
  return placements;
}

interface Window {
  readonly from: number;
  readonly levels?: number;
}

/** The line that a hunk of a unified diff names, from 0. */
function statedLine({ oldStart = 1, lines }: Hunk): number {
  return lines.every(({ sign }) => sign === "+") ? oldStart : oldStart - 1;
}

function placeNumbered(
  seeker: LineSeeker,
  { contents }: PatchTarget,
  hunk: Hunk,
  { drift, ...window }: Window & { readonly drift: number },
): Placement | Nowhere {
  const expected = Math.min(Math.max(window.from, statedLine(hunk) + drift), contents.length);
  if (oldLines(hunk.lines).length === 0) return inserted(hunk, expected);
  const found = seekHunk(seeker, hunk, window.from, { levels: window.levels ?? LEVELS, expected });
  if (!found) return {};
  const distance = (place: number): number => Math.abs(place - expected);
  const line = found.places.reduce((best, place) => (distance(place) < distance(best) ? place : best));
  return placement(hunk, found, line, found.places);
}

function placeAfter(seeker: LineSeeker, { contents }: PatchTarget, hunk: Hunk, window: Window): Placement | Nowhere {
  let { from } = window;
  const { levels = LEVELS } = window;
  for (const anchor of hunk.anchors) {
    const found = seeker.seek([anchor], from, window);
    if (!found) return { anchor };
    from = found.places[0]! + 1;
  }
  if (oldLines(hunk.lines).length === 0) return inserted(hunk, hunk.anchors.length > 0 ? from : contents.length);
  const found =
    seekHunk(seeker, hunk, from, { levels }) ??
    // An anchor that is a line of the hunk too.
    (hunk.anchors.length > 0 ? seekHunk(seeker, hunk, from - 1, { levels }) : undefined);
  return found ? placement(hunk, found, found.places[0]!, found.places) : {};
}

interface FoundLines extends Found {
  readonly lines: readonly HunkLine[];
}

/** A few blank lines at its end are left out when they are not there. */
function seekHunk(
  seeker: LineSeeker,
  hunk: Hunk,
  from: number,
  options: Pick<SeekOptions, "levels" | "expected">,
): FoundLines | undefined {
  for (let lines = hunk.lines; lines.length >= hunk.lines.length - MAX_BLANK_LINES; lines = lines.slice(0, -1)) {
    const old = oldLines(lines);
    if (old.length === 0) return undefined;
    const found = seeker.seek(old, from, { onlyAtEnd: hunk.atEnd, ...options });
    if (found) return { ...found, lines };
    const last = lines.at(-1);
    if (last?.sign !== " " || last.text.trim() !== "") return undefined;
  }
  return undefined;
}

function placement(hunk: Hunk, found: FoundLines, line: number, places: readonly number[]): Placement {
  const { lines, disregarded } = found;
  return { hunk, lines, line, count: oldLines(lines).length, disregarded, places };
}

function inserted(hunk: Hunk, line: number): Placement {
  return { hunk, lines: hunk.lines, line, count: 0, disregarded: "", places: [line] };
}

export function oldLines(lines: readonly HunkLine[]): string[] {
  return lines.filter(({ sign }) => sign !== "+").map(({ text }) => text);
}
