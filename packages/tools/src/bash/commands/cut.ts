import type { ShellCommand } from "../shell-command.ts";
import { defineCommand } from "./define-command.ts";
import { fromLatin1, latin1 } from "../encoding.ts";
import { type ParsedOptions, UsageError } from "./parse-options.ts";
import { linesOf, piecesOf } from "./pieces.ts";
import { readInputs } from "./read-inputs.ts";

type Ranges = readonly (readonly [from: number, to: number])[];

const LONG = {
  "bytes=": "b",
  "characters=": "c",
  "fields=": "f",
  "delimiter=": "d",
  "only-delimited": "s",
  complement: "C",
  "output-delimiter=": "O",
  "zero-terminated": "z",
};

/** In place of just-bash's, which counts through open ranges one by one, and knows no `--complement`. Bytes, as GNU's. */
export const cut: ShellCommand = defineCommand(
  "cut",
  { short: "b:c:f:d:snz", long: LONG },
  async (options, context) => {
    const line = lineCutter(options);
    const end = options.has("z") ? "\0" : "\n";
    let stdout = "";
    let stderr = "";
    for (const { name, bytes, problem } of await readInputs(options.operands, context)) {
      if (problem !== undefined) {
        stderr += `cut: ${name}: ${problem}\n`;
        continue;
      }
      for await (const piece of piecesOf(latin1(bytes), context.signal, end)) {
        for (const each of linesOf(piece, end)) {
          const kept = line(each);
          if (kept !== undefined) stdout += kept + end;
        }
      }
    }
    return { stdout: fromLatin1(stdout), stderr, exitCode: stderr ? 1 : 0 };
  },
);

function lineCutter(options: ParsedOptions): (line: string) => string | undefined {
  const lists = options.given.filter(([name]) => /^[bcf]$/.test(name));
  const [list] = lists;
  if (!list) throw new UsageError("you must specify a list of bytes, characters, or fields");
  if (lists.length > 1) throw new UsageError("only one list may be specified");
  const isByFields = list[0] === "f";
  if (!isByFields && options.has("d"))
    throw new UsageError("an input delimiter may be specified only when operating on fields");
  const named = rangesOf(list[1], isByFields);
  const ranges = options.has("C") ? complement(named) : named;
  const given = options.value("O");
  const joint = given === undefined ? undefined : latin1(new TextEncoder().encode(given));
  if (!isByFields)
    return (line) =>
      ranges
        .map(([from, to]) => line.slice(from - 1, to))
        .filter(Boolean)
        .join(joint ?? "");
  const delimiter = latin1(new TextEncoder().encode(options.value("d") ?? "\t"));
  if (delimiter.length !== 1) {
    if (delimiter !== "") throw new UsageError("the delimiter must be a single character");
    return fieldCutter(ranges, "\0", joint ?? "\0", options.has("s"));
  }
  return fieldCutter(ranges, delimiter, joint ?? delimiter, options.has("s"));
}

function fieldCutter(ranges: Ranges, delimiter: string, joint: string, onlyDelimited: boolean) {
  return (line: string): string | undefined => {
    const fields = line.split(delimiter);
    if (fields.length === 1) return onlyDelimited ? undefined : line;
    return ranges.flatMap(([from, to]) => fields.slice(from - 1, to)).join(joint);
  };
}

function rangesOf(list: string, isByFields: boolean): Ranges {
  const what = isByFields ? "field" : "byte/character position";
  const ranges = list.split(/[, ]/).map((item): [number, number] => {
    const [, from = "", dash, to = ""] = /^(\d*)(-?)(\d*)$/.exec(item) ?? [];
    if (dash === undefined || (from === "" && to === "")) {
      throw new UsageError(item === "-" ? "invalid range with no endpoint: -" : `invalid ${what} value '${item}'`);
    }
    const first = from === "" ? 1 : Number(from);
    const last = dash === "" ? first : to === "" ? Number.POSITIVE_INFINITY : Number(to);
    if (first === 0) throw new UsageError(`${isByFields ? "fields" : "byte/character positions"} are numbered from 1`);
    if (last < first) throw new UsageError("invalid decreasing range");
    return [first, last];
  });
  const merged: [number, number][] = [];
  for (const [from, to] of ranges.sort(([a], [b]) => a - b)) {
    const last = merged.at(-1);
    // Ranges that only touch stay apart: between them comes what `--output-delimiter` names.
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

function complement(ranges: Ranges): Ranges {
  const others: [number, number][] = [];
  let next = 1;
  for (const [from, to] of ranges) {
    if (from > next) others.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (Number.isFinite(next)) others.push([next, Number.POSITIVE_INFINITY]);
  return others;
}
