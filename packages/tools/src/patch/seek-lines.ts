import { plainPunctuation, trimBlanks } from "../edit/normalize.ts";
import type { PatchTarget } from "./patch-target.ts";
import { asInTarget } from "./patch-target.ts";

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
/** More places of the same lines tell nothing. */
const MAX_PLACES = 10_000;

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

  constructor(target: PatchTarget) {
    this.#target = target;
  }

  /** The places from line `from` on, in the first likeness in which there is one. */
  seek(lines: readonly string[], from: number, options: SeekOptions = {}): Found | undefined {
    const { onlyAtEnd = false, levels = LIKENESS.length, expected } = options;
    const wanted = lines.map((line) => asInTarget(line, this.#target));
    for (const [level, { name, of }] of LIKENESS.slice(0, levels).entries()) {
      const alike = this.#linesAt(level);
      const alikeWanted = wanted.map(of);
      if (expected !== undefined && isAt(alike.lines, alikeWanted, expected)) {
        return { places: [expected], disregarded: name };
      }
      const last = alike.lines.length - wanted.length;
      const places = placesOf(alike, alikeWanted, onlyAtEnd ? Math.max(from, last) : from);
      if (places.length > 0) return { places, disregarded: name };
    }
    return undefined;
  }

  #linesAt(level: number): AlikeLines {
    const { contents } = this.#target;
    return (this.#alike[level] ??= { lines: level === 0 ? contents : contents.map(LIKENESS[level]!.of), seeks: 0 });
  }
}

function placesOf(alike: AlikeLines, wanted: readonly string[], from: number): number[] {
  // The longest line is the least likely to be elsewhere too.
  const probe = wanted.reduce((best, line, at) => (line.length > wanted[best]!.length ? at : best), 0);
  const places: number[] = [];
  for (const at of linesLike(alike, wanted[probe]!, from + probe)) {
    if (isAt(alike.lines, wanted, at - probe)) places.push(at - probe);
    if (places.length === MAX_PLACES) break;
  }
  return places;
}

function* linesLike(alike: AlikeLines, line: string, from: number): Generator<number> {
  alike.seeks += 1;
  if (alike.seeks > SEEKS_WITHOUT_INDEX) {
    alike.index ??= indexOf(alike.lines);
    for (const at of alike.index.get(line) ?? []) if (at >= from) yield at;
    return;
  }
  for (let at = alike.lines.indexOf(line, from); at !== -1; at = alike.lines.indexOf(line, at + 1)) yield at;
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

function isAt(lines: readonly string[], wanted: readonly string[], start: number): boolean {
  return start + wanted.length <= lines.length && wanted.every((line, index) => lines[start + index] === line);
}
