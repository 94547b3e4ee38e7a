import type { GrepEvent, GrepFile, GrepLine, GrepQuery, GrepReport } from "@tenrec/protocol";
import type { Backtracker, GroupedMatch } from "../backtrack/backtracker.ts";
import type { Finder } from "./find-in-operands.ts";
import type { SearchShell } from "./search-shell.ts";

/** A search by matchers of our own, in the lines that another search gives. */
export interface Refinement {
  /** A line matches when one of them does. */
  readonly trackers: readonly Backtracker[];
  readonly invert: boolean;
  readonly before: number;
  readonly after: number;
  readonly maxCount: number;
  readonly report: GrepReport;
  readonly zero: boolean;
  /** Every line is shown, those that do not match as context. */
  readonly passthru: boolean;
  /** A NUL in a line is nothing special. */
  readonly text: boolean;
}

const STEPS_BETWEEN_TURNS = 200_000;

/** Refines what `lines` finds, wherever that is asked to look. */
export function refinedFinder(
  { search, signal }: SearchShell,
  lines: Omit<GrepQuery, "path">,
  refinement: Refinement,
): Finder {
  const { report, zero } = refinement;
  const wantsAll = report === "files-without-match" || zero;
  const all: typeof lines = { ...lines, pattern: "", report: "count", zero: true };
  return {
    tree: (path) =>
      refineLines(
        search.grep({ ...lines, path }, signal),
        refinement,
        wantsAll ? search.grep({ ...all, path }, signal) : undefined,
      ),
    content: (bytes, path) =>
      refineLines(
        search.grepContent(bytes, path, lines, signal),
        refinement,
        wantsAll ? search.grepContent(bytes, path, all, signal) : undefined,
      ),
  };
}

/**
 * What a search for `trackers` would give; `events` are of a search that gives every line, or every one that may match.
 * `files` are its files, in the same order, when those without a line are wanted.
 */
async function* refineLines(
  events: AsyncIterable<GrepEvent>,
  refinement: Refinement,
  files: AsyncIterable<GrepEvent> | undefined,
): AsyncGenerator<GrepEvent> {
  const paths = await pathsOf(files);
  let file: RefinedFile | undefined;
  let steps = 0;
  for await (const event of events) {
    if (event.type !== "file") {
      if (file) yield* file.end();
      for (const path of paths.splice(0)) yield* new RefinedFile(path, refinement).end();
      yield event;
      return;
    }
    if (!event.continued) {
      if (file) yield* file.end();
      const ahead = paths.splice(0, paths.indexOf(event.path) + 1).slice(0, -1);
      for (const path of ahead) yield* new RefinedFile(path, refinement).end();
      file = new RefinedFile(event.path, refinement);
    }
    if (file) yield* file.add(event.lines);
    const now = refinement.trackers.reduce((sum, tracker) => sum + tracker.steps, 0);
    if (now - steps > STEPS_BETWEEN_TURNS) {
      steps = now;
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }
}

async function pathsOf(files: AsyncIterable<GrepEvent> | undefined): Promise<string[]> {
  const paths: string[] = [];
  for await (const event of files ?? []) if (event.type === "file") paths.push(event.path);
  return paths;
}

class RefinedFile {
  readonly #path: string;
  readonly #refinement: Refinement;
  #ahead: GrepLine[] = [];
  #owed = 0;
  #matches = 0;
  #count = 0;
  #events = 0;
  #nul: number | undefined;

  constructor(path: string, refinement: Refinement) {
    this.#path = path;
    this.#refinement = refinement;
  }

  *add(lines: readonly GrepLine[]): Generator<GrepFile> {
    const shown: GrepLine[] = [];
    const before = this.#matches;
    for (const line of lines) {
      if (!this.#refinement.text && line.text.includes("\0")) this.#nul ??= line.offset ?? 0;
      this.#line(line, shown);
    }
    if (this.#refinement.report === "lines" && shown.length > 0 && this.#nul === undefined)
      yield this.#event(shown, this.#matches - before);
  }

  *end(): Generator<GrepFile> {
    const { report, zero } = this.#refinement;
    const found = this.#matches > 0;
    if (report === "lines") {
      if (found && this.#nul !== undefined) yield { ...this.#event([], 1), binary: this.#nul };
    } else if (report === "files") {
      if (found) yield this.#event([], 1);
    } else if (report === "files-without-match") {
      if (!found) yield this.#event([], 0);
    } else if (found || zero) yield this.#event([], report === "count" ? this.#matches : this.#count);
  }

  #line(line: GrepLine, shown: GrepLine[]): void {
    const { invert, before, after, maxCount, passthru } = this.#refinement;
    const spans = this.#spansOf(line.text);
    const isMatch = spans.length > 0 !== invert && this.#matches < maxCount;
    if (isMatch) {
      this.#matches++;
      this.#count += invert ? 1 : spans.length;
      shown.push(...this.#ahead, { ...line, match: true, spans: invert ? [] : spans });
      this.#ahead = [];
      this.#owed = after;
    } else if (passthru || this.#owed > 0) {
      this.#owed--;
      shown.push({ ...line, match: false, spans: invert ? spans : [] });
    } else if (before > 0)
      this.#ahead = [...this.#ahead, { ...line, match: false, spans: invert ? spans : [] }].slice(-before);
  }

  #spansOf(text: string): (readonly [number, number])[] {
    const { trackers, text: isText } = this.#refinement;
    // In a binary file a NUL ends a line, too.
    if (!isText && text.includes("\0")) return text.split("\0").some((part) => this.#first(part, 0)) ? [[0, 0]] : [];
    const [only] = trackers;
    if (only && trackers.length === 1) return [...only.matches(text)].map(({ start, end }) => [start, end]);
    const spans: (readonly [number, number])[] = [];
    for (let at = 0; at <= text.length;) {
      const match = this.#first(text, at);
      if (!match) break;
      spans.push([match.start, match.end]);
      at = match.end > match.start ? match.end : match.end + 1;
    }
    return spans;
  }

  #first(text: string, at: number): GroupedMatch | undefined {
    const found = this.#refinement.trackers.flatMap((tracker) => tracker.find(text, at) ?? []);
    return found.toSorted((a, b) => a.start - b.start || b.end - a.end)[0];
  }

  #event(lines: readonly GrepLine[], matches: number): GrepFile {
    const continued = this.#events++ > 0;
    return { type: "file", path: this.#path, lines, matches, ...(continued ? { continued } : {}) };
  }
}
