import { Buffer } from "node:buffer";
import type { GrepFile, GrepLine, GrepQuery, GrepReport } from "@tenrec/protocol";
import { LineCollector, type LineOptions, lineOptions } from "./line-collector.ts";
import { FilterQuestion } from "./content-filters.ts";
import { LineMatcher, startOfLine } from "./line-matcher.ts";
import { selectedLines } from "./selected-lines.ts";

/** A file with a NUL before this offset is binary from its start. */
const BINARY_BYTES = 64 * 1024;

/** What one event holds at most. */
const EVENT_LINES = 1000;
const EVENT_CHARS = 128 * 1024;

/** A query, made ready for any number of files. */
export interface GrepPlan {
  readonly matcher: LineMatcher;
  readonly options: LineOptions;
  readonly report: GrepReport;
  readonly text: boolean;
  /** Files that are not named are treated as those that are. */
  readonly binary: boolean;
  readonly zero: boolean;
  /** What says of a file that it need not be read; absent when every file has something to answer. */
  readonly question?: FilterQuestion;
}

/** `EINVAL` for a pattern that is not valid. */
export function planGrep(query: GrepQuery): GrepPlan {
  const report = query.report ?? "lines";
  const matcher = new LineMatcher(query);
  const zero = query.zero ?? false;
  const answersAlways =
    query.invert === true || report === "files-without-match" || (zero && report.startsWith("count"));
  const question = answersAlways ? undefined : FilterQuestion.of(matcher.needles);
  const plan = {
    matcher,
    options: lineOptions(query),
    report,
    text: query.text ?? false,
    binary: query.binary ?? false,
    zero,
  };
  return question ? { ...plan, question } : plan;
}

/** A file that a search looks at; one that was `named` is not left out for being binary. */
export interface FileToSearch {
  readonly path: string;
  readonly named: boolean;
}

/** The search of one file, window by window. */
export class FileSearch {
  readonly #plan: GrepPlan;
  readonly #file: FileToSearch;
  readonly #lines: LineCollector;
  /** Bytes before the window. */
  #offset = 0;
  #nul: number | undefined;
  #count = 0;
  #events = 0;
  #isDone = false;

  constructor(plan: GrepPlan, file: FileToSearch) {
    this.#plan = plan;
    this.#file = plan.binary ? { ...file, named: true } : file;
    this.#lines = new LineCollector(plan.matcher, plan.options);
  }

  /** More of the file would change nothing. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** It was left out, or left, for a NUL. */
  get isBinary(): boolean {
    return this.#nul !== undefined;
  }

  /** Searches the next window; `isLast` when it is known to be the last one. */
  *window(window: Buffer, isLast: boolean): Generator<GrepFile> {
    const nul = this.#plan.text ? -1 : window.indexOf(0);
    if (nul === -1 && this.#nul === undefined) yield* this.#text(window, isLast);
    else if (this.#file.named) yield* this.#namedBinary(window, nul);
    else {
      this.#nul = this.#offset + nul;
      this.#isDone = true;
      if (this.#nul >= BINARY_BYTES) yield* this.#text(window.subarray(0, nul), true);
    }
    this.#offset += window.length;
  }

  /** What is only known at the end. */
  *end(): Generator<GrepFile> {
    const { report } = this.#plan;
    const skipped = this.#nul !== undefined && !this.#file.named;
    if (skipped) return;
    if (report === "files-without-match" && this.#count === 0) yield this.#event([], 0);
    const isCount = report === "count" || report === "count-matches";
    if (isCount && (this.#count > 0 || this.#plan.zero)) yield this.#event([], this.#count);
  }

  *#text(window: Buffer, isLast: boolean): Generator<GrepFile> {
    const { report } = this.#plan;
    if (report === "lines") {
      yield* this.#grouped(this.#lines.lines(window, isLast));
      if (this.#lines.isDone) this.#isDone = true;
    } else if (report === "count" || report === "count-matches") {
      this.#count += this.#lines.count(window, report === "count-matches");
    } else if (this.#hasMatch(window)) {
      this.#count = 1;
      this.#isDone = true;
      if (report === "files") yield this.#event([], 1);
    }
  }

  /** As ripgrep has it, a NUL ends a line here, and lines behind one are not shown. */
  *#namedBinary(window: Buffer, nul: number): Generator<GrepFile> {
    const lines = Buffer.from(window);
    for (let at = nul; at !== -1; at = lines.indexOf(0, at + 1)) lines[at] = 10;
    if (this.#plan.report !== "lines") {
      this.#nul ??= this.#offset + nul;
      yield* this.#text(lines, false);
      return;
    }
    let from = 0;
    if (this.#nul === undefined) {
      this.#nul = this.#offset + nul;
      if (this.#nul >= BINARY_BYTES) from = startOfLine(window, nul, 0);
      yield* this.#text(lines.subarray(0, from), true);
    }
    if (this.#isDone || !this.#hasMatch(lines.subarray(from))) return;
    this.#isDone = true;
    yield { ...this.#event([], 1), binary: this.#nul };
  }

  #hasMatch(window: Buffer): boolean {
    const { matcher, options } = this.#plan;
    if (options.maxCount === 0) return false;
    return selectedLines(window, matcher, options.invert)[Symbol.iterator]().next().done !== true;
  }

  *#grouped(lines: Iterable<GrepLine>): Generator<GrepFile> {
    let group: GrepLine[] = [];
    let chars = 0;
    let counted = this.#lines.matches;
    const take = (): GrepFile => {
      const event = this.#event(group, this.#lines.matches - counted);
      counted = this.#lines.matches;
      group = [];
      chars = 0;
      return event;
    };
    for (const line of lines) {
      if (group.length >= EVENT_LINES || chars >= EVENT_CHARS) yield take();
      group.push(line);
      chars += line.text.length;
    }
    if (group.length > 0) yield take();
  }

  #event(lines: readonly GrepLine[], matches: number): GrepFile {
    const continued = this.#events++ > 0;
    return {
      type: "file",
      path: this.#file.path,
      lines,
      matches,
      ...(continued ? { continued } : {}),
      ...(this.#nul === undefined || this.#file.named ? {} : { binary: this.#nul }),
    };
  }
}
