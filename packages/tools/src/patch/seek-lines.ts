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
}

/** Where lines are in a file. */
export interface Found {
  /** Places in the file, ascending; more than one when it is not clear which is meant. */
  readonly places: readonly number[];
  /** What had to be disregarded; empty when the lines are there to the letter. */
  readonly disregarded: string;
}

/** Finds lines in a file; the lines in each likeness are made once. */
export class LineSeeker {
  readonly #target: PatchTarget;
  readonly #alike: (readonly string[])[] = [];

  constructor(target: PatchTarget) {
    this.#target = target;
  }

  /** The places from line `from` on, in the first likeness in which there is one. */
  seek(lines: readonly string[], from: number, options: SeekOptions = {}): Found | undefined {
    const { onlyAtEnd = false, levels = LIKENESS.length } = options;
    const wanted = lines.map((line) => asInTarget(line, this.#target));
    for (const [level, { name, of }] of LIKENESS.slice(0, levels).entries()) {
      const there = this.#linesAt(level);
      const last = there.length - wanted.length;
      const places = placesOf(there, wanted.map(of), onlyAtEnd ? Math.max(from, last) : from);
      if (places.length > 0) return { places, disregarded: name };
    }
    return undefined;
  }

  #linesAt(level: number): readonly string[] {
    return (this.#alike[level] ??=
      level === 0 ? this.#target.contents : this.#target.contents.map(LIKENESS[level]!.of));
  }
}

function placesOf(lines: readonly string[], wanted: readonly string[], from: number): number[] {
  // The longest line is the least likely to be elsewhere too.
  const probe = wanted.reduce((best, line, at) => (line.length > wanted[best]!.length ? at : best), 0);
  const places: number[] = [];
  let at = lines.indexOf(wanted[probe]!, from + probe);
  while (at !== -1 && at - probe + wanted.length <= lines.length) {
    const start = at - probe;
    if (wanted.every((line, index) => lines[start + index] === line)) places.push(start);
    at = lines.indexOf(wanted[probe]!, at + 1);
  }
  return places;
}
