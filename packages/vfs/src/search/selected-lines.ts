import type { Buffer } from "node:buffer";
import { endOfLine, type LineMatcher, startOfLine } from "./line-matcher.ts";
import type { Span } from "./regex/pike.ts";

/** Lines that a query selects: one, or with `wholeText` those of one match or of several that share a line. */
export interface Selected {
  readonly start: number;
  /** Behind the last line, its line feed not included. */
  readonly end: number;
  /** Where something matches, to be shown when a line is cut. */
  readonly hit: number;
  /** With `wholeText`, what matches in these lines. */
  readonly spans?: readonly Span[];
}

/** Selected lines of a window in order. */
export function selectedLines(buffer: Buffer, matcher: LineMatcher, invert: boolean): Iterable<Selected> {
  const matching = matcher.wholeText ? matchingBlocks(buffer, matcher) : matchingLines(buffer, matcher);
  return invert ? otherLines(buffer, matching) : matching;
}

function* matchingLines(buffer: Buffer, matcher: LineMatcher): Generator<Selected> {
  const to = buffer.length;
  for (let from = 0; from < to;) {
    const hit = matcher.next(buffer, from, to);
    if (hit === -1) return;
    const end = endOfLine(buffer, hit, to);
    yield { start: startOfLine(buffer, hit, from), end, hit };
    from = end + 1;
  }
}

function* matchingBlocks(buffer: Buffer, matcher: LineMatcher): Generator<Selected> {
  const to = buffer.length;
  if (matcher.next(buffer, 0, to) === -1) return;
  let block: { start: number; end: number; hit: number; spans: Span[] } | undefined;
  for (const span of matcher.matches(buffer, 0, to)) {
    // Behind a last line feed there is no line.
    if (span.start === to && buffer[to - 1] === 10) break;
    // A match that ends with a line feed does not touch the next line.
    const end = endOfLine(buffer, Math.max(span.start, span.end - 1), to);
    if (block && span.start <= block.end) {
      block.end = Math.max(block.end, end);
      block.spans.push(span);
      continue;
    }
    if (block) yield block;
    block = { start: startOfLine(buffer, span.start, 0), end, hit: span.start, spans: [span] };
  }
  if (block) yield block;
}

function* otherLines(buffer: Buffer, matching: Iterable<Selected>): Generator<Selected> {
  let from = 0;
  for (const { start, end } of matching) {
    yield* linesBetween(buffer, from, start);
    from = end + 1;
  }
  yield* linesBetween(buffer, from, buffer.length);
}

function* linesBetween(buffer: Buffer, from: number, to: number): Generator<Selected> {
  for (let start = from; start < to;) {
    const end = endOfLine(buffer, start, to);
    yield { start, end, hit: start };
    start = end + 1;
  }
}
