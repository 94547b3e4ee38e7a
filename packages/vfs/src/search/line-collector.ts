import type { Buffer } from "node:buffer";
import type { GrepLine, GrepQuery } from "@tenrec/protocol";
import { endOfLine, type LineMatcher } from "./line-matcher.ts";
import type { Span } from "./regex/pike.ts";
import { type Selected, selectedLines } from "./selected-lines.ts";
import { type LinePlace, showLine } from "./show-line.ts";

const LF = 10;

/** Spans of a line that are given; more help nobody. */
const MAX_SPANS = 1000;

/** How lines are selected and shown. */
export interface LineOptions {
  readonly before: number;
  readonly after: number;
  readonly maxCount: number;
  readonly maxLineLength: number;
  readonly invert: boolean;
  readonly spans: boolean;
  readonly places: boolean;
  readonly keepReturns: boolean;
}

const DEFAULT_LINE_LENGTH = 500;

export function lineOptions(query: GrepQuery): LineOptions {
  return {
    before: query.before ?? 0,
    after: query.after ?? 0,
    maxCount: query.maxCount ?? Number.POSITIVE_INFINITY,
    maxLineLength: Math.max(1, query.maxLineLength ?? DEFAULT_LINE_LENGTH),
    invert: query.invert ?? false,
    spans: query.spans ?? false,
    places: query.places ?? false,
    keepReturns: query.keepReturns ?? false,
  };
}

/** The lines of one file, window by window: each window has whole lines, the last one of the file may lack its line feed. */
export class LineCollector {
  readonly #matcher: LineMatcher;
  readonly #options: LineOptions;
  /** Lines before the window. */
  #passed = 0;
  /** Bytes before the window. */
  #offset = 0;
  /** The number of the last line that was shown. */
  #shown = 0;
  /** Lines that are still to be shown behind the last match. */
  #owed = 0;
  /** The last lines of the window before, for a match at the start of the next. */
  #tail: readonly GrepLine[] = [];
  /** Matches so far, as `maxCount` counts them. */
  matches = 0;

  constructor(matcher: LineMatcher, options: LineOptions) {
    this.#matcher = matcher;
    this.#options = options;
  }

  /** There will be no more lines. */
  get isDone(): boolean {
    return this.matches >= this.#options.maxCount && this.#owed === 0;
  }

  /** Lines to show of a window, those of context too, each once and in order. */
  *lines(window: Buffer, isLast: boolean): Generator<GrepLine> {
    const at = { start: 0, number: this.#passed + 1, base: this.#offset };
    this.#offset += window.length;
    const options = this.#options;
    if (this.matches < options.maxCount) {
      for (const selected of selectedLines(window, this.#matcher, options.invert)) {
        yield* this.#owedLines(window, at, selected.start);
        yield* this.#linesBefore(window, at, selected.start);
        yield* this.#matching(window, at, selected);
        if (this.matches >= options.maxCount) break;
      }
    }
    yield* this.#owedLines(window, at, window.length);
    if (!isLast) this.#leave(window, at);
  }

  /** Counts a window's matches without looking at lines; with `each` the matches in a line count on their own. */
  count(window: Buffer, each: boolean): number {
    const { invert, maxCount } = this.#options;
    let sum = 0;
    for (const selected of selectedLines(window, this.#matcher, invert)) {
      if (this.matches >= maxCount) break;
      const { start, end, spans } = selected;
      this.matches += spans?.length ?? 1;
      if (spans) sum += spans.length;
      else if (!each || invert) sum++;
      else for (const _ of this.#matcher.matches(window, start, end)) sum++;
    }
    return sum;
  }

  *#matching(window: Buffer, at: Place, { start, end, hit, spans }: Selected): Generator<GrepLine> {
    const { invert, after } = this.#options;
    const wanted = this.#options.spans && !invert;
    moveTo(window, at, start);
    while (at.start <= end) {
      const line = lineAt(window, at);
      const inLine = wanted ? (spans ? within(spans, line) : this.#spansOf(window, line)) : undefined;
      const where = spans?.find((span) => span.end > line.start)?.start ?? hit;
      const continues = wanted && (spans?.some((span) => span.start < line.start && span.end > line.start) ?? false);
      yield showLine(window, line, this.#options, {
        at: Math.max(where, line.start),
        ...(inLine ? { spans: inLine, continues } : {}),
      });
      pass(at, line);
    }
    this.matches += spans?.length ?? 1;
    this.#shown = at.number - 1;
    this.#owed = after;
  }

  #spansOf(window: Buffer, { start, end }: LinePlace): Span[] {
    return [...this.#matcher.matches(window, start, end, MAX_SPANS)];
  }

  /** Context behind the last match, up to an offset. */
  *#owedLines(window: Buffer, at: Place, to: number): Generator<GrepLine> {
    while (this.#owed > 0 && at.start < to) {
      const line = lineAt(window, at);
      yield this.#context(window, line);
      pass(at, line);
      this.#shown = line.number;
      this.#owed--;
    }
  }

  *#linesBefore(window: Buffer, at: Place, to: number): Generator<GrepLine> {
    const { before } = this.#options;
    if (before === 0) return;
    let start = to;
    let count = 0;
    while (count < before && start > at.start) {
      start = start < 2 ? 0 : window.lastIndexOf(LF, start - 2) + 1;
      count++;
    }
    if (start === 0 && count < before) {
      const missing = this.#tail.slice(count - before);
      yield* missing.filter(({ line }) => line > this.#shown);
    }
    moveTo(window, at, start);
    while (at.start < to) {
      const line = lineAt(window, at);
      yield this.#context(window, line);
      pass(at, line);
    }
  }

  #context(window: Buffer, line: LinePlace): GrepLine {
    const { invert, spans } = this.#options;
    // What is selected for not matching has lines around it that may match.
    const matches = invert && spans && !this.#matcher.wholeText ? this.#spansOf(window, line) : [];
    const [first] = matches;
    const hit = first && { at: first.start, spans: matches, isContext: true };
    return showLine(window, line, this.#options, hit);
  }

  #leave(window: Buffer, at: Place): void {
    const { before } = this.#options;
    const tail: GrepLine[] = [];
    if (before > 0) {
      let start = window.length;
      for (let count = 0; count < before && start > at.start; count++) {
        start = start < 2 ? 0 : window.lastIndexOf(LF, start - 2) + 1;
      }
      moveTo(window, at, start);
      while (at.start < window.length) {
        const line = lineAt(window, at);
        tail.push(this.#context(window, line));
        pass(at, line);
      }
    } else moveTo(window, at, window.length);
    this.#tail = [...this.#tail, ...tail].slice(-Math.max(1, before));
    this.#passed = at.number - 1;
  }
}

/** A line's start and its number. */
interface Place {
  start: number;
  number: number;
  readonly base: number;
}

function lineAt(window: Buffer, { start, number, base }: Place): LinePlace {
  return { start, end: endOfLine(window, start, window.length), number, base };
}

function pass(at: Place, { end }: LinePlace): void {
  at.start = end + 1;
  at.number++;
}

/** To a later line's start, or to the end of the window; counts the lines on the way. */
function moveTo(window: Buffer, at: Place, start: number): void {
  let { number } = at;
  for (let index = at.start; index < start; index++) if (window[index] === LF) number++;
  at.start = Math.max(at.start, start);
  at.number = number;
}

function within(spans: readonly Span[], { start, end }: LinePlace): Span[] {
  return spans
    .filter((span) => span.start <= end && (span.end > start || span.start >= start))
    .slice(0, MAX_SPANS)
    .map((span) => ({ start: Math.max(start, span.start), end: Math.min(end, span.end) }));
}
