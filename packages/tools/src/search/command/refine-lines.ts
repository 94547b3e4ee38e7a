import type { GrepEvent, GrepFile, GrepLine, GrepReport } from "@tenrec/protocol";
import type { Backtracker, GroupedMatch } from "../backtrack/backtracker.ts";

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
  /** A carriage return at the end is no part of a line. */
  readonly crlf: boolean;
  /** A NUL in a line is nothing special. */
  readonly text: boolean;
}

const STEPS_BETWEEN_TURNS = 200_000;

/** What a search for `trackers` would give; `events` are of a search that gives every line, or every one that may match. */
export async function* refineLines(
  events: AsyncIterable<GrepEvent>,
  refinement: Refinement,
): AsyncGenerator<GrepEvent> {
  let file: RefinedFile | undefined;
  let steps = 0;
  for await (const event of events) {
    if (event.type !== "file") {
      if (file) yield* file.end();
      yield event;
      return;
    }
    if (!event.continued) {
      if (file) yield* file.end();
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
    const { invert, before, after, maxCount, crlf, passthru } = this.#refinement;
    const end = line.text.length;
    const found = this.#spansOf(line.crlf && !crlf ? `${line.text}\r` : line.text);
    const spans = found.map(([from, to]) => [Math.min(from, end), Math.min(to, end)] as const);
    const isMatch = spans.length > 0 !== invert && this.#matches < maxCount;
    if (isMatch) {
      this.#matches++;
      this.#count += invert ? 1 : spans.length;
      shown.push(...this.#ahead, { ...line, match: true, spans: invert ? [] : spans });
      this.#ahead = [];
      this.#owed = after;
    } else if (passthru || this.#owed > 0) {
      this.#owed--;
      shown.push({ ...line, match: false, spans: [] });
    } else if (before > 0) this.#ahead = [...this.#ahead.slice(1 - before), { ...line, match: false, spans: [] }];
  }

  #spansOf(text: string): (readonly [number, number])[] {
    const { trackers } = this.#refinement;
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
