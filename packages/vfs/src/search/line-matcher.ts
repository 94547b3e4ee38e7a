import { Buffer } from "node:buffer";
import { compileQuery, type PatternQuery } from "./compile-query.ts";
import { Alphabet } from "./regex/alphabet.ts";
import { LazyDfa } from "./regex/lazy-dfa.ts";
import { Pike, type Span } from "./regex/pike.ts";
import { toProgram } from "./regex/program.ts";
import { requiredTexts } from "./regex/required-text.ts";
import type { Syntax } from "./regex/syntax.ts";
import { trimForTest } from "./regex/trim-for-test.ts";

const LF = 10;

/** So many bytes must lie between two candidates that do not match; where there are more, every byte is looked at. */
const BYTES_PER_MISS = 256;

/** A text to look for first, and where it was seen last. */
interface Needle {
  readonly bytes: Buffer;
  /** The next place of it in the buffer being searched; -1 when there is none, -2 when that is not known. */
  at: number;
}

/** A compiled query. It keeps its place in one buffer at a time. */
export class LineMatcher {
  /** Matches may span lines, so that a window must be a whole text. */
  readonly wholeText: boolean;
  readonly #syntax: Syntax;
  readonly #source: string;
  readonly #needles: readonly Needle[];
  /** A needle is all that there is to a match. */
  readonly #exact: boolean;
  #buffer: Buffer | undefined;
  #from = 0;
  #test: LazyDfa | undefined;
  #pike: Pike | undefined;

  /** `EINVAL` for a pattern that is not valid. */
  constructor(query: PatternQuery) {
    const { syntax, wholeText } = compileQuery(query);
    const required = requiredTexts(syntax);
    this.wholeText = wholeText;
    this.#syntax = syntax;
    this.#source = typeof query.pattern === "string" ? query.pattern : query.pattern.join("\n");
    this.#needles = (required?.texts ?? []).map((text) => ({ bytes: Buffer.from(text), at: -2 }));
    this.#exact = required?.exact ?? false;
    // What is too large is refused before anything is searched.
    if (!this.#exact) this.#testLine();
  }

  /**
   * A place of the first match at `from` or behind it, -1 without one. `from` begins a line; the place is in the line of the
   * match, or its end, but need not be where the match begins.
   */
  next(buffer: Buffer, from: number, to: number): number {
    if (from >= to) return -1;
    if (this.#needles.length === 0) return this.#scan(buffer, from, to);
    if (this.#buffer !== buffer || from < this.#from) for (const needle of this.#needles) needle.at = -2;
    this.#buffer = buffer;
    this.#from = from;
    if (this.#exact) return this.#nextNeedle(buffer, from, to);
    if (this.wholeText) return this.#nextNeedle(buffer, from, to) === -1 ? -1 : this.#scan(buffer, from, to);
    let misses = 0;
    for (let start = from; start < to;) {
      const at = this.#nextNeedle(buffer, start, to);
      if (at === -1) return -1;
      const lineEnd = endOfLine(buffer, at, to);
      const found = this.#testLine().find(buffer, startOfLine(buffer, at, start), lineEnd);
      if (found !== -1) return found;
      start = lineEnd + 1;
      if (++misses * BYTES_PER_MISS > start - from + 8 * BYTES_PER_MISS) return this.#scan(buffer, start, to);
    }
    return -1;
  }

  /** The matches in a line or, with `wholeText`, in a text that begin before `to`, at most `limit`. */
  *matches(buffer: Buffer, from: number, to: number, limit: number = Number.POSITIVE_INFINITY): Generator<Span> {
    const pike = this.#spans();
    let lastEnd = -1;
    for (let at = from, left = limit; at <= to && left > 0;) {
      const span = pike.find(buffer, from, to, at);
      if (!span) return;
      const empty = span.start === span.end;
      // An empty match where the last one ended is no match of its own.
      if (!empty || span.start !== lastEnd) {
        left--;
        yield span;
      }
      lastEnd = span.end;
      at = empty ? nextChar(buffer, span.end, to) : span.end;
    }
  }

  #scan(buffer: Buffer, from: number, to: number): number {
    if (from >= to) return -1;
    const found = this.#testLine().find(buffer, from, to);
    // Behind a last line feed there is no line.
    return found === to && !this.wholeText && buffer[to - 1] === LF ? -1 : found;
  }

  #nextNeedle(buffer: Buffer, from: number, to: number): number {
    let first = -1;
    for (const needle of this.#needles) {
      if (needle.at === -1) continue;
      if (needle.at < from) needle.at = buffer.indexOf(needle.bytes, from);
      if (needle.at !== -1 && needle.at + needle.bytes.length <= to && (first === -1 || needle.at < first)) {
        first = needle.at;
      }
    }
    return first;
  }

  /** Texts of which every match contains one; none when that is not certain. */
  get needles(): readonly Uint8Array[] {
    return this.#needles.map(({ bytes }) => bytes);
  }

  #testLine(): LazyDfa {
    if (!this.#test) {
      const program = toProgram(trimForTest(this.#syntax), this.#source);
      this.#test = new LazyDfa(program, new Alphabet(program, !this.wholeText));
    }
    return this.#test;
  }

  #spans(): Pike {
    if (!this.#pike) {
      const program = toProgram(this.#syntax, this.#source);
      this.#pike = new Pike(program, new Alphabet(program, !this.wholeText));
    }
    return this.#pike;
  }
}

/** Where the line begins that has this offset, not before `from`. */
export function startOfLine(buffer: Buffer, at: number, from: number): number {
  return at <= from ? from : Math.max(from, buffer.lastIndexOf(LF, at - 1) + 1);
}

/** The line feed that ends the line with this offset, or `to`. */
export function endOfLine(buffer: Buffer, from: number, to: number): number {
  const end = buffer.indexOf(LF, from);
  return end === -1 || end > to ? to : end;
}

function nextChar(buffer: Buffer, at: number, to: number): number {
  let next = at + 1;
  while (next < to && (buffer[next] ?? 0) >> 6 === 2) next++;
  return next;
}
