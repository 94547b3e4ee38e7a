import { Buffer } from "node:buffer";
import type { GrepLine } from "@tenrec/protocol";
import type { Span } from "./regex/pike.ts";

const RETURN = 13;

/** A line in a buffer, without its line feed. */
export interface LinePlace {
  readonly start: number;
  readonly end: number;
  readonly number: number;
  /** Bytes of the file before the buffer. */
  readonly base: number;
}

/** What matches in a line. */
export interface Hit {
  /** Where, to be shown when the line is cut. */
  readonly at: number;
  readonly spans?: readonly Span[];
  readonly continues?: boolean;
  /** It is shown as context, and matches all the same. */
  readonly isContext?: boolean;
}

export interface ShowOptions {
  readonly maxLineLength: number;
  /** Say where in the file it is. */
  readonly places: boolean;
  /** A carriage return before the line feed is a part of the text. */
  readonly keepReturns: boolean;
}

/** What an answer has of a line: at most `maxLineLength` characters, those around `hit` when it is longer. */
export function showLine(
  buffer: Buffer,
  { start, end: lineEnd, number, base }: LinePlace,
  { maxLineLength: maxLength, places, keepReturns }: ShowOptions,
  hit?: Hit,
): GrepLine {
  const isCrlf = !keepReturns && endsWithReturn(buffer, start, lineEnd);
  const end = isCrlf ? lineEnd - 1 : lineEnd;
  // A character has at most four bytes, so this is enough of a long line.
  const from = end - start <= maxLength ? start : beginOf(buffer, start, end, maxLength, hit?.at ?? start);
  const shown = buffer.toString("utf8", from, Math.min(end, from + 4 * maxLength + 4));
  const clipped = shown.length > maxLength || from + 4 * maxLength + 4 < end;
  const text = clipped ? clip(shown, maxLength) : shown;
  return {
    line: number,
    text,
    match: hit !== undefined && !hit.isContext,
    ...(clipped || from > start ? { cut: true, skipped: from - start } : {}),
    ...(isCrlf ? { crlf: true } : {}),
    ...(hit ? hitIn(buffer, from, text, end, hit) : {}),
    ...(places ? placeOf(buffer, base + start, lineEnd) : {}),
  };
}

/** Without a line feed behind it, it is text. */
function endsWithReturn(buffer: Buffer, start: number, lineEnd: number): boolean {
  return lineEnd > start && lineEnd < buffer.length && buffer[lineEnd - 1] === RETURN;
}

function hitIn(
  buffer: Buffer,
  from: number,
  text: string,
  end: number,
  { spans, continues }: Hit,
): Pick<GrepLine, "spans" | "continues"> {
  return {
    ...(spans ? { spans: inText(buffer, from, text, end, spans) } : {}),
    ...(continues ? { continues } : {}),
  };
}

function placeOf(buffer: Buffer, offset: number, lineEnd: number): Pick<GrepLine, "offset" | "open"> {
  return lineEnd === buffer.length ? { offset, open: true } : { offset };
}

/** Where to begin, so that what is at `hit` is shown with something before it, and as much text as there is room for. */
function beginOf(buffer: Buffer, start: number, end: number, maxLength: number, hit: number): number {
  const ahead = Math.floor(maxLength / 2);
  if (hit - start <= ahead) return start;
  const from = alignDown(buffer, start, hit - ahead);
  if (end - from > 4 * maxLength) return from;
  const missing = maxLength - buffer.toString("utf8", from, end).length;
  if (missing <= 0) return from;
  // Near its end there is room for more of what is before.
  const earlier = alignDown(buffer, start, Math.max(start, from - 4 * missing));
  const text = buffer.toString("utf8", earlier, from);
  return Math.max(earlier, from - Buffer.byteLength(text.slice(-missing).toWellFormed()));
}

function alignDown(buffer: Buffer, start: number, at: number): number {
  let from = at;
  while (from > start && (buffer[from] ?? 0) >> 6 === 2) from--;
  return from;
}

function clip(text: string, maxLength: number): string {
  const last = text.charCodeAt(maxLength - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? maxLength - 1 : maxLength);
}

function inText(buffer: Buffer, from: number, text: string, end: number, spans: readonly Span[]): [number, number][] {
  const ascii = text.length === end - from;
  const offset = (at: number): number => (ascii ? at - from : buffer.toString("utf8", from, at).length);
  return spans.flatMap((span): [number, number][] => {
    if (span.start < from || span.start - from > 4 * text.length) return [];
    const [first, last] = [offset(span.start), offset(Math.min(span.end, end, from + 4 * text.length))];
    // What matches the carriage return alone is not cut away: it is at the end of the text.
    const isCut = first === text.length && span.end > span.start && span.start < end;
    return first > text.length || isCut ? [] : [[first, Math.min(last, text.length)]];
  });
}
