import type { GrepLine } from "@tenrec/protocol";
import type { Matcher } from "./matcher.ts";

/** Longest text of a line in an answer. */
const MAX_LINE_LENGTH = 500;

export interface GrepLimits {
  readonly before: number;
  readonly after: number;
  readonly maxCount: number;
}

/** A line by its place in the text, without its line feed. */
interface Line {
  readonly start: number;
  readonly end: number;
  readonly number: number;
}

/** Matching lines with their context, each line once and in order. */
export function grepText(text: string, matcher: Matcher, limits: GrepLimits): { lines: GrepLine[]; matches: number } {
  const lines: GrepLine[] = [];
  let matches = 0;
  let last: Line | undefined;
  // Context after the last match that no match has covered yet.
  let owed = 0;
  const addContext = (until: Line | undefined): void => {
    for (
      let line = nextLine(text, last);
      owed > 0 && line && line.start !== until?.start;
      line = nextLine(text, last)
    ) {
      lines.push(show(text, line, false));
      last = line;
      owed--;
    }
  };
  for (const line of matcher.find ? multilineMatches(text, matcher) : lineMatches(text, matcher)) {
    if (matches === limits.maxCount) break;
    matches++;
    if (last) addContext(line);
    for (const before of linesBefore(text, line, Math.min(limits.before, line.number - 1 - (last?.number ?? 0)))) {
      lines.push(show(text, before, false));
    }
    lines.push(show(text, line, true));
    last = line;
    owed = limits.after;
  }
  addContext(undefined);
  return { lines, matches };
}

function* lineMatches(text: string, { literal, foldCase, testLine }: Matcher): Generator<Line> {
  const haystack = literal === undefined ? undefined : foldCase ? lowerCase(text) : text;
  let line: Line | undefined;
  if (literal === undefined || haystack === undefined) {
    while ((line = nextLine(text, line))) if (!testLine || testLine(text.slice(line.start, line.end))) yield line;
    return;
  }
  for (;;) {
    const at = haystack.indexOf(literal, line ? line.end : 0);
    if (at === -1) return;
    line = lineAt(text, at, line);
    if (!testLine || testLine(text.slice(line.start, line.end))) yield line;
  }
}

function* multilineMatches(text: string, { find }: Matcher): Generator<Line> {
  let line: Line | undefined;
  for (let from = 0; from <= text.length;) {
    const span = find?.(text, from);
    if (span === undefined) return;
    // A match that ends with a line feed does not touch the next line.
    const lastChar = Math.max(span.start, span.end - 1);
    if (line === undefined || span.start > line.end) line = lineAt(text, span.start, line);
    else if (lastChar > line.end) line = nextLine(text, line);
    else line = undefined;
    if (line === undefined) return;
    if (line.start >= text.length) return;
    yield line;
    while (line.end < lastChar) {
      line = nextLine(text, line);
      if (line === undefined) return;
      yield line;
    }
    from = Math.max(line.end + 1, span.end);
  }
}

/** Lower case with every character in its place; `undefined` where that is not possible or would miss a match. */
function lowerCase(text: string): string | undefined {
  const lower = text.toLowerCase();
  return lower.length === text.length && !text.includes("\u017f") ? lower : undefined;
}

function nextLine(text: string, line: Line | undefined): Line | undefined {
  const start = line ? line.end + 1 : 0;
  if (start >= text.length) return undefined;
  return { start, end: lineEnd(text, start), number: (line?.number ?? 0) + 1 };
}

/** The line around an offset; `known` is an earlier one, to count from. */
function lineAt(text: string, offset: number, known: Line | undefined): Line {
  const start = offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
  let number = known?.number ?? 1;
  for (let at = known ? known.end : lineEnd(text, 0); at < start; at = lineEnd(text, at + 1)) number++;
  return { start, end: lineEnd(text, offset), number };
}

function linesBefore(text: string, line: Line, count: number): Line[] {
  const found: Line[] = [];
  for (let { start, number } = line; found.length < count && start > 0;) {
    const end = start - 1;
    start = end === 0 ? 0 : text.lastIndexOf("\n", end - 1) + 1;
    number--;
    found.unshift({ start, end, number });
  }
  return found;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

function show(text: string, line: Line, match: boolean): GrepLine {
  const end = text[line.end - 1] === "\r" && line.end > line.start ? line.end - 1 : line.end;
  const cut = end - line.start > MAX_LINE_LENGTH;
  const shown = text.slice(line.start, cut ? line.start + MAX_LINE_LENGTH : end).toWellFormed();
  return { line: line.number, text: shown, match, ...(cut ? { cut } : {}) };
}
