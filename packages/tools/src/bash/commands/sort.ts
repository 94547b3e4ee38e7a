import type { ShellCommand } from "../shell-command.ts";
import { defineCommand } from "./define-command.ts";
import { fromLatin1, latin1 } from "../encoding.ts";
import { readInputs } from "./read-inputs.ts";
import { type ParsedOptions, UsageError } from "./parse-options.ts";

type Compare = (a: string, b: string) => number;

/** A part of a line, and how it is compared. */
interface Key {
  readonly part: (line: string) => string;
  readonly compare: Compare;
  readonly isReverse: boolean;
}

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
    const lines = inputs.flatMap((input) => splitLines(latin1(input.bytes ?? new Uint8Array()), end));
    const keys = keysOf(options);
    const isUnique = options.has("u");
    const order = orderOf(keys, !(isUnique || options.has("s")), options.has("r"));
    if (options.has("c", "C")) return checkOrder(lines, order, isUnique, options);
    // Without options the order is that of the bytes, which needs no function.
    const inOrder = options.given.length === 0 ? lines.sort() : lines.sort(order);
    const kept = isUnique
      ? inOrder.filter((line, at) => at === 0 || order(inOrder[at - 1] ?? "", line) !== 0)
      : inOrder;
    const stdout = fromLatin1(kept.map((line) => line + end).join(""));
    const target = options.value("o");
    if (target === undefined) return { stdout };
    await context.fs.writeFile(context.resolve(target), stdout);
    return {};
  },
  2,
);

async function checkOrder(
  lines: readonly string[],
  order: Compare,
  isUnique: boolean,
  options: ParsedOptions,
): Promise<{ stderr?: string; exitCode: number }> {
  const at = lines.findIndex((line, index) => index > 0 && order(lines[index - 1] ?? "", line) > (isUnique ? -1 : 0));
  if (at === -1) return { exitCode: 0 };
  return {
    exitCode: 1,
    ...(options.has("C") ? {} : { stderr: `sort: ${options.operands[0] ?? "-"}:${at + 1}: disorder: ${lines[at]}\n` }),
  };
}

function splitLines(text: string, end: string): string[] {
  const lines = text.split(end);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function orderOf(keys: readonly Key[], hasLastResort: boolean, isReverse: boolean): Compare {
  return (a, b) => {
    for (const { part, compare, isReverse: isDown } of keys) {
      const result = compare(part(a), part(b));
      if (result !== 0) return isDown ? -result : result;
    }
    if (!hasLastResort) return 0;
    return isReverse ? byBytes(b, a) : byBytes(a, b);
  };
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
  return [{ part: (line) => line, compare: compareFor(global), isReverse: options.has("r") }];
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
    compare: compareFor(own.replace(/[rb]/g, "") || (own ? "" : global)),
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

function compareFor(flags: string): Compare {
  if (flags.includes("n")) return (a, b) => numberIn(a) - numberIn(b);
  if (flags.includes("g")) return (a, b) => (Number.parseFloat(a) || 0) - (Number.parseFloat(b) || 0);
  if (flags.includes("h")) return (a, b) => humanNumber(a) - humanNumber(b);
  if (flags.includes("M")) return (a, b) => monthIn(a) - monthIn(b);
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
