import type { ShellCommand } from "../shell-command.ts";
import { defineCommand } from "./define-command.ts";
import { fromLatin1, latin1 } from "../encoding.ts";
import { breathe, linesOf, piecesOf } from "./pieces.ts";
import { readInputs } from "./read-inputs.ts";
import { type ParsedOptions, UsageError } from "./parse-options.ts";

type Compare = (a: string, b: string) => number;

/** A part of a line, and how it is compared. */
interface Key {
  readonly part: (line: string) => string;
  readonly compare: Compare;
  readonly isReverse: boolean;
  /** The part as a number, where it is compared as one. */
  readonly number?: (part: string) => number;
}

/** A line with what of it is compared, found once and not for each comparison. */
interface Row {
  readonly line: string;
  readonly parts: readonly (string | number)[];
}

type Order = (a: Row, b: Row) => number;

const LONG = {
  "numeric-sort": "n",
  reverse: "r",
  unique: "u",
  "key=": "k",
  "field-separator=": "t",
  "human-numeric-sort": "h",
  "version-sort": "V",
  "ignore-case": "f",
  "ignore-leading-blanks": "b",
  stable: "s",
  "zero-terminated": "z",
  "output=": "o",
  "check?": "c",
  "general-numeric-sort": "g",
  "month-sort": "M",
  "dictionary-order": "d",
  merge: "m",
  "random-sort": "R",
  "parallel=": "-",
};

/** In place of just-bash's, which orders as a dictionary does, where a system without a locale orders bytes, and knows no `-z`. */
export const sort: ShellCommand = defineCommand(
  "sort",
  { short: "nruk:t:hVfbszo:cCgMdimRS:T:", long: LONG },
  async (options, context) => {
    const inputs = await readInputs(options.operands, context);
    const bad = inputs.find(({ problem }) => problem !== undefined);
    if (bad) return { stderr: `sort: cannot read: ${bad.name}: ${bad.problem}\n`, exitCode: 2 };
    const end = options.has("z") ? "\0" : "\n";
    const keys = keysOf(options);
    const rows: Row[] = [];
    for (const { bytes = new Uint8Array() } of inputs) {
      for await (const piece of piecesOf(latin1(bytes), context.signal, end)) {
        for (const line of linesOf(piece, end)) rows.push({ line, parts: keys.map((key) => partOf(line, key)) });
      }
    }
    const isUnique = options.has("u");
    const order = orderOf(keys, !(isUnique || options.has("s")), options.has("r"));
    if (options.has("c", "C")) return checkOrder(rows, order, isUnique, options);
    const inOrder = await sortInTurns(rows, order, context.signal);
    const kept = isUnique ? inOrder.filter((row, at) => at === 0 || order(inOrder[at - 1] ?? row, row) !== 0) : inOrder;
    const stdout = fromLatin1(kept.map(({ line }) => line + end).join(""));
    const target = options.value("o");
    if (target === undefined) return { stdout };
    await context.fs.writeFile(context.resolve(target), stdout);
    return {};
  },
  2,
);

async function checkOrder(
  rows: readonly Row[],
  order: Order,
  isUnique: boolean,
  options: ParsedOptions,
): Promise<{ stderr?: string; exitCode: number }> {
  const at = rows.findIndex((row, index) => index > 0 && order(rows[index - 1] ?? row, row) > (isUnique ? -1 : 0));
  if (at === -1) return { exitCode: 0 };
  return {
    exitCode: 1,
    ...(options.has("C")
      ? {}
      : { stderr: `sort: ${options.operands[0] ?? "-"}:${at + 1}: disorder: ${rows[at]?.line}\n` }),
  };
}

function partOf(line: string, { part, number }: Key): string | number {
  return number ? number(part(line)) : part(line);
}

function orderOf(keys: readonly Key[], hasLastResort: boolean, isReverse: boolean): Order {
  return (a, b) => {
    for (const [at, { compare, isReverse: isDown }] of keys.entries()) {
      const [left, right] = [a.parts[at] ?? "", b.parts[at] ?? ""];
      const result = typeof left === "number" ? left - Number(right) : compare(left, String(right));
      if (result !== 0) return isDown ? -result : result;
    }
    if (!hasLastResort) return 0;
    return isReverse ? byBytes(b.line, a.line) : byBytes(a.line, b.line);
  };
}

/** Rows that are sorted or merged between two turns of the event loop. */
const RUN = 8000;

/** Sorts runs, and merges them two by two. */
async function sortInTurns(rows: readonly Row[], order: Order, signal: AbortSignal): Promise<readonly Row[]> {
  if (rows.length <= RUN) return [...rows].sort(order);
  let runs: (readonly Row[])[] = [];
  for (let at = 0; at < rows.length; at += RUN) {
    runs.push(rows.slice(at, at + RUN).sort(order));
    await breathe(signal);
  }
  while (runs.length > 1) {
    const merged: (readonly Row[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [left = [], right = []] = runs.slice(at, at + 2);
      merged.push(right.length === 0 ? left : await merge(left, right, order, signal));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge(left: readonly Row[], right: readonly Row[], order: Order, signal: AbortSignal): Promise<Row[]> {
  const all: Row[] = [];
  let [l, r] = [0, 0];
  while (l < left.length || r < right.length) {
    const [a, b] = [left[l], right[r]];
    // Of two that are equal the left one, which was first.
    const takesLeft = b === undefined || (a !== undefined && order(a, b) <= 0);
    const next = takesLeft ? a : b;
    if (next) all.push(next);
    if (takesLeft) l += 1;
    else r += 1;
    if (all.length % RUN === 0) await breathe(signal);
  }
  return all;
}

function keysOf(options: ParsedOptions): Key[] {
  const global = options.given
    .map(([name]) => name)
    .filter((name) => "nhVfbgMdR".includes(name))
    .join("");
  const separator = options.value("t")?.replace(/^\\t$/, "\t").replace(/^\\0$/, "\0");
  const keys = options.given
    .filter(([name]) => name === "k")
    .map(([, text]) => parseKey(text, global, separator, options.has("r")));
  if (keys.length > 0) return keys;
  return [{ part: (line) => line, ...comparison(global), isReverse: options.has("r") }];
}

function parseKey(text: string, global: string, separator: string | undefined, isReverse: boolean): Key {
  const match = /^(\d+)(?:\.(\d+))?([a-zA-Z]*)(?:,(\d+)(?:\.(\d+))?([a-zA-Z]*))?$/.exec(text);
  if (!match) throw new UsageError(`invalid number at field start: invalid count at start of '${text}'`);
  const [, from = "1", fromChar, flagsA = "", to, toChar, flagsB = ""] = match;
  const own = flagsA + flagsB;
  const isBlankless = (own || global).includes("b");
  const part = (line: string): string => {
    const fields = fieldsOf(line, separator);
    const startField = fields[Number(from) - 1];
    if (!startField) return "";
    const skip = isBlankless ? (/^\s*/.exec(line.slice(startField[0]))?.[0].length ?? 0) : 0;
    const start = startField[0] + skip + Number(fromChar ?? 1) - 1;
    const endField = to === undefined ? undefined : fields[Number(to) - 1];
    let end = line.length;
    if (endField) end = toChar === undefined || toChar === "0" ? endField[1] : endField[0] + Number(toChar);
    return line.slice(start, end);
  };
  return {
    part,
    ...comparison(own.replace(/[rb]/g, "") || (own ? "" : global)),
    isReverse: own ? own.includes("r") : isReverse,
  };
}

/** Start and end of each field; without a separator, a field begins with the blanks before it. */
function fieldsOf(line: string, separator: string | undefined): (readonly [number, number])[] {
  const fields: (readonly [number, number])[] = [];
  if (separator === undefined) {
    for (const { index, 0: text } of line.matchAll(/[ \t]*[^ \t]+|[ \t]+$/g)) fields.push([index, index + text.length]);
    return fields;
  }
  let start = 0;
  for (const piece of line.split(separator)) {
    fields.push([start, start + piece.length]);
    start += piece.length + separator.length;
  }
  return fields;
}

function comparison(flags: string): Pick<Key, "compare" | "number"> {
  const number = numberFor(flags);
  return { compare: compareFor(flags), ...(number ? { number } : {}) };
}

function numberFor(flags: string): ((text: string) => number) | undefined {
  if (flags.includes("n")) return numberIn;
  if (flags.includes("g")) return (text) => Number.parseFloat(text) || 0;
  if (flags.includes("h")) return humanNumber;
  return flags.includes("M") ? monthIn : undefined;
}

function compareFor(flags: string): Compare {
  if (flags.includes("V")) return (a, b) => a.localeCompare(b, "en", { numeric: true }) || byBytes(a, b);
  if (!/[df]/.test(flags)) return byBytes;
  const dictionary = flags.includes("d") ? (text: string) => text.replace(/[^\w\s]/g, "") : (text: string) => text;
  if (flags.includes("f")) return (a, b) => byBytes(dictionary(a).toUpperCase(), dictionary(b).toUpperCase());
  return (a, b) => byBytes(dictionary(a), dictionary(b));
}

function byBytes(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function numberIn(text: string): number {
  return Number(/^\s*(-?\d*\.?\d*)/.exec(text)?.[1] ?? 0) || 0;
}

function humanNumber(text: string): number {
  const unit = /^\s*-?[\d.]+([KMGTP])/i.exec(text)?.[1]?.toUpperCase() ?? "";
  return numberIn(text) * 1024 ** (unit === "" ? 0 : "KMGTP".indexOf(unit) + 1);
}

function monthIn(text: string): number {
  const at = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC".indexOf(text.trim().slice(0, 3).toUpperCase());
  return at % 3 === 0 ? at : -1;
}
