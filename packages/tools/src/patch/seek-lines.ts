import { plainPunctuation, trimBlanks } from "../edit/normalize.ts";
import type { PatchTarget } from "./patch-target.ts";
import { asInTarget } from "./patch-target.ts";
import { patchFailed } from "./file-patch.ts";

/** How lines are made alike, from nothing at all to the most that a patch is allowed. */
const LIKENESS: readonly { readonly name: string; readonly of: (line: string) => string }[] = [
  { name: "", of: (line) => line },
  { name: "trailing blanks", of: trimBlanks },
  { name: "indentation", of: (line) => line.trim() },
  { name: "indentation and Unicode punctuation", of: (line) => plainPunctuation(line).trim() },
];

export interface SeekOptions {
  /** Only as the last lines of the file. */
  readonly onlyAtEnd?: boolean;
  /** How far lines may differ: 1 is not at all. */
  readonly levels?: number;
  /** A place at which there is no doubt, however often the lines are elsewhere too. */
  readonly expected?: number;
}

/** After so many searches in the same likeness, where each line is gets written down. */
const SEEKS_WITHOUT_INDEX = 16;
/** Among so many places the one nearest to a line is looked for; without a line, it is the first, and a few are told. */
const MAX_PLACES = { nearest: 10_000, first: 16 };
/** Lines compared for one file. Lines that repeat in a long hunk and a long file would hold up all else for minutes. */
const MAX_COMPARED = 50_000_000;

/** Where lines are in a file. */
export interface Found {
  /** Places in the file, ascending; more than one when it is not clear which is meant. */
  readonly places: readonly number[];
  /** What had to be disregarded; empty when the lines are there to the letter. */
  readonly disregarded: string;
}

/** A file's lines in one likeness. */
interface AlikeLines {
  readonly lines: readonly string[];
  seeks: number;
  index?: ReadonlyMap<string, readonly number[]>;
}

/** Finds lines in a file; the lines in each likeness are made once. */
export class LineSeeker {
  readonly #target: PatchTarget;
  readonly #alike: AlikeLines[] = [];
  #compared = 0;

  constructor(target: PatchTarget) {
    this.#target = target;
  }

  /**
   * The places from line `from` on, in the first likeness in which there is one. Throws `tool-failed` when that takes too
   * many comparisons.
   */
  seek(lines: readonly string[], from: number, options: SeekOptions = {}): Found | undefined {
    const { onlyAtEnd = false, levels = LIKENESS.length, expected } = options;
    const wanted = lines.map((line) => asInTarget(line, this.#target));
    for (const [level, { name, of }] of LIKENESS.slice(0, levels).entries()) {
      const alike = this.#linesAt(level);
      const alikeWanted = wanted.map(of);
      if (expected !== undefined && this.#isAt(alike.lines, alikeWanted, expected)) {
        return { places: [expected], disregarded: name };
      }
      const last = alike.lines.length - wanted.length;
      const most = expected === undefined ? MAX_PLACES.first : MAX_PLACES.nearest;
      const places = this.#placesOf(alike, alikeWanted, onlyAtEnd ? Math.max(from, last) : from, most);
      if (places.length > 0) return { places, disregarded: name };
    }
    return undefined;
  }

  #linesAt(level: number): AlikeLines {
    const { contents } = this.#target;
    return (this.#alike[level] ??= { lines: level === 0 ? contents : contents.map(LIKENESS[level]!.of), seeks: 0 });
  }

  #placesOf(alike: AlikeLines, wanted: readonly string[], from: number, most: number): number[] {
    // The longest line is the least likely to be elsewhere too.
    const probe = wanted.reduce((best, line, at) => (line.length > wanted[best]!.length ? at : best), 0);
    const places: number[] = [];
    for (const at of linesLike(alike, wanted[probe]!, from + probe)) {
      if (this.#isAt(alike.lines, wanted, at - probe)) places.push(at - probe);
      if (places.length === most) break;
    }
    return places;
  }

  #isAt(lines: readonly string[], wanted: readonly string[], start: number): boolean {
    if (start + wanted.length > lines.length) return false;
    const differing = wanted.findIndex((line, index) => lines[start + index] !== line);
    this.#compared += 1 + (differing === -1 ? wanted.length : differing);
    if (this.#compared > MAX_COMPARED) {
      throw patchFailed(
        "its hunks have lines that are in the file too often to look for them all. Patch fewer lines at once, with lines in each hunk that are in the file once. Nothing was changed",
      );
    }
    return differing === -1;
  }
}

function* linesLike(alike: AlikeLines, line: string, from: number): Generator<number> {
  alike.seeks += 1;
  if (alike.seeks > SEEKS_WITHOUT_INDEX) {
    alike.index ??= indexOf(alike.lines);
    const known = alike.index.get(line) ?? [];
    for (let next = firstFrom(known, from); next < known.length; next++) yield known[next]!;
    return;
  }
  for (let at = alike.lines.indexOf(line, from); at !== -1; at = alike.lines.indexOf(line, at + 1)) yield at;
}

/** The index of the first of ascending numbers that is `from` or more. */
function firstFrom(ascending: readonly number[], from: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

function indexOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const index = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const known = index.get(line);
    if (known) known.push(at);
    else index.set(line, [at]);
  }
  return index;
}
