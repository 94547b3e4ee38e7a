import { cutLine } from "../cap-output.ts";
import type { EditTarget } from "./target.ts";
import { splitWritten } from "./text-lines.ts";

const SHOWN_LINES = 12;
const SHOWN_WIDTH = 200;
/** Above this many lines of a file, similar lines are not looked for, only equal ones. */
const MAX_COMPARED = 20_000;
const SIMILAR = 0.5;

/** Where a file comes closest to a text that is not in it: numbered lines, and the first difference. */
export function nearestLines(target: EditTarget, wanted: string): string {
  const lines = target.lines.map(({ content }) => content);
  const written = splitWritten(wanted);
  const start = bestStart(lines, written);
  if (start === undefined) return "No line of the file is like it. Read the file and copy the text from there.";
  const end = Math.min(lines.length, start + Math.min(written.length, SHOWN_LINES));
  const shown = lines.slice(start, end).map((line, index) => `${start + index + 1}\t${cutLine(line, SHOWN_WIDTH)}`);
  return ["The nearest lines are:", ...shown, ...firstDifference(lines, written, start)].join("\n");
}

function firstDifference(lines: readonly string[], written: readonly string[], start: number): string[] {
  const index = written.findIndex((line, at) => lines[start + at] !== line);
  if (index === -1) return [];
  const there = lines[start + index];
  const has = there === undefined ? "has ended" : `has ${quote(there)}`;
  return [`Line ${start + index + 1} ${has}, oldText has ${quote(written[index] ?? "")}.`];
}

/** With blanks, tabs and unusual characters visible. */
function quote(line: string): string {
  const escaped = JSON.stringify(cutLine(line, SHOWN_WIDTH));
  return escaped.replace(/[^\x20-\x7e…]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The file's line at which most lines of the text are at their place, whatever their blanks. */
function bestStart(lines: readonly string[], written: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  for (const [index, line] of written.entries()) {
    const key = squeeze(line);
    if (key !== "") places.set(key, [...(places.get(key) ?? []), index]);
  }
  const votes = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    for (const place of places.get(squeeze(line)) ?? []) {
      const start = Math.max(0, index - place);
      votes.set(start, (votes.get(start) ?? 0) + 1);
    }
  }
  const [best] = [...votes].toSorted(([startA, a], [startB, b]) => b - a || startA - startB);
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

function squeeze(line: string): string {
  return line.trim().replace(/\s+/g, " ");
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
