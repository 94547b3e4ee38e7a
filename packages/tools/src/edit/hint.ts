import { cutText } from "../cap-output.ts";
import type { LinedText } from "./text-lines.ts";
import { lineAt, splitWritten } from "./text-lines.ts";

const SHOWN_LINES = 12;
const SHOWN_WIDTH = 200;
/** Above this many lines of a file, similar lines are not looked for, only equal ones. */
const MAX_COMPARED = 20_000;
/** A line that is written more often tells nothing about the place. */
const MAX_REPEATED = 8;
const SIMILAR = 0.5;

/** Where a file comes closest to a text that is not in it: numbered lines, and the first difference. */
export function nearestLines(target: LinedText, wanted: string, what = "oldText"): string {
  const lines = target.starts.map((_, line) => lineAt(target, line).content);
  const written = splitWritten(wanted);
  const start = bestStart(lines, written);
  if (start === undefined) return "No line of the file is like it. Read the file and copy the text from there.";
  const end = Math.min(lines.length, start + Math.min(written.length, SHOWN_LINES));
  const shown = lines.slice(start, end).map((line, index) => `${start + index + 1}\t${cut(line, 0)}`);
  return ["The nearest lines are:", ...shown, ...firstDifference(lines, written, start, what)].join("\n");
}

function firstDifference(
  lines: readonly string[],
  written: readonly string[],
  start: number,
  what: string,
): readonly string[] {
  const index = written.findIndex((line, at) => lines[start + at] !== line);
  if (index === -1) return [];
  const there = lines[start + index];
  const wanted = written[index] ?? "";
  if (there !== undefined) {
    const from = Math.max(0, differsAt(there, wanted) - SHOWN_WIDTH / 4);
    return [`Line ${start + index + 1} has ${quote(there, from)}, ${what} has ${quote(wanted, from)}.`];
  }
  const rest = written.slice(index).some((line) => line !== "");
  return [
    rest
      ? `The file ends after line ${lines.length}, ${what} goes on with ${quote(wanted, 0)}.`
      : `The file ends after line ${lines.length} without a line end, ${what} has one there.`,
  ];
}

/** Where two lines differ first; 0 when both are short enough to be shown. */
function differsAt(a: string, b: string): number {
  if (Math.max(a.length, b.length) <= SHOWN_WIDTH) return 0;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

/** With blanks, tabs and unusual characters visible. */
function quote(line: string, from: number): string {
  const escaped = JSON.stringify(cut(line, from));
  return escaped.replace(/[^\x20-\x7e…]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function cut(line: string, from: number): string {
  const shown = cutText(line.slice(from), SHOWN_WIDTH);
  return `${from > 0 ? "…" : ""}${shown}${from + shown.length < line.length ? "…" : ""}`;
}

/** The file's line at which most lines of the text are at their place, whatever their blanks. */
function bestStart(lines: readonly string[], written: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  for (const [index, line] of written.entries()) {
    const key = squeeze(line);
    const known = places.get(key) ?? [];
    if (key !== "" && known.length < MAX_REPEATED) places.set(key, [...known, index]);
  }
  const votes = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    for (const place of places.get(squeeze(line)) ?? []) {
      const start = Math.max(0, index - place);
      votes.set(start, (votes.get(start) ?? 0) + 1);
    }
  }
  let best: readonly [start: number, votes: number] | undefined;
  for (const entry of votes) {
    if (!best || entry[1] > best[1] || (entry[1] === best[1] && entry[0] < best[0])) best = entry;
  }
  return best ? best[0] : similarStart(lines, written);
}

function similarStart(lines: readonly string[], written: readonly string[]): number | undefined {
  if (lines.length > MAX_COMPARED) return undefined;
  const longest = written.reduce((a, b) => (b.length > a.length ? b : a), "");
  const wanted = pairs(longest);
  let best = SIMILAR;
  let found: number | undefined;
  for (const [index, line] of lines.entries()) {
    const score = likeness(wanted, pairs(line));
    if (score > best) [best, found] = [score, index];
  }
  return found === undefined ? undefined : Math.max(0, found - written.indexOf(longest));
}

/** One blank in place of each run of them. A line too long to be compared keeps its blanks. */
function squeeze(line: string): string {
  return line.length > 10 * SHOWN_WIDTH ? line : line.trim().replace(/\s+/g, " ");
}

/** Pairs of neighbouring characters, the measure of Dice. */
function pairs(line: string): ReadonlySet<string> {
  const text = squeeze(line).slice(0, SHOWN_WIDTH);
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared += 1;
  return (2 * shared) / (a.size + b.size);
}
