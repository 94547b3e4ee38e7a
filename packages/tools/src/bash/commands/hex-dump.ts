import type { ShellCommand } from "../shell-command.ts";
import { defineCommand } from "./define-command.ts";
import type { ParsedOptions } from "./parse-options.ts";
import { latin1 } from "../encoding.ts";
import { breathe } from "./pieces.ts";
import { type Input, readInputs } from "./read-inputs.ts";

const hex = (number: number, width: number): string => number.toString(16).padStart(width, "0");
const shown = (bytes: Uint8Array): string => latin1(bytes).replace(/[^ -~]/g, ".");

function* rows(bytes: Uint8Array, size: number): Generator<readonly [offset: number, row: Uint8Array]> {
  for (let at = 0; at < bytes.length; at += size) yield [at, bytes.subarray(at, at + size)];
}

/** All inputs in one, and what was wrong with the others. */
function joined(name: string, inputs: readonly Input[]): { bytes: Uint8Array; stderr: string; exitCode: number } {
  const problems = inputs.flatMap((input) =>
    input.problem === undefined ? [] : [`${name}: ${input.name}: ${input.problem}\n`],
  );
  const bytes = new Uint8Array(inputs.reduce((sum, input) => sum + (input.bytes?.length ?? 0), 0));
  let at = 0;
  for (const { bytes: part } of inputs) {
    if (part) bytes.set(part, at);
    at += part?.length ?? 0;
  }
  return { bytes, stderr: problems.join(""), exitCode: problems.length > 0 ? 1 : 0 };
}

function window(options: ParsedOptions, bytes: Uint8Array, skip: string, length: string): Uint8Array {
  const from = Number(options.value(skip) ?? 0);
  const count = options.value(length);
  return bytes.subarray(from, count === undefined ? undefined : from + Number(count));
}

const xxd: ShellCommand = defineCommand("xxd", { short: "prs:l:c:g:ui" }, async (options, context) => {
  const { bytes: all, stderr, exitCode } = joined("xxd", await readInputs(options.operands.slice(0, 1), context));
  if (options.has("r")) return { stdout: undump(latin1(all), options.has("p")), stderr, exitCode };
  const bytes = window(options, all, "s", "l");
  const isPlain = options.has("p");
  const size = Number(options.value("c") ?? (isPlain ? 30 : 16)) || 16;
  const group = Number(options.value("g") ?? 2) || size;
  const stdout = await printRows(bytes, size, context.signal, (offset, row) => {
    const pairs = Array.from(row, (byte) => (options.has("u") ? hex(byte, 2).toUpperCase() : hex(byte, 2)));
    if (isPlain) return `${pairs.join("")}\n`;
    const width = size * 2 + Math.ceil(size / group) - 1;
    const grouped = pairs.map((pair, at) => (at > 0 && at % group === 0 ? ` ${pair}` : pair)).join("");
    return `${hex(offset + Number(options.value("s") ?? 0), 8)}: ${grouped.padEnd(width)}  ${shown(row)}\n`;
  });
  return { stdout, stderr, exitCode };
});

/** Rows between two turns of the event loop. */
const ROWS_PER_TURN = 4096;

async function printRows(
  bytes: Uint8Array,
  size: number,
  signal: AbortSignal,
  line: (offset: number, row: Uint8Array) => string,
): Promise<string> {
  let out = "";
  let count = 0;
  for (const [offset, row] of rows(bytes, size)) {
    out += line(offset, row);
    if (++count % ROWS_PER_TURN === 0) await breathe(signal);
  }
  return out;
}

function undump(text: string, isPlain: boolean): Uint8Array {
  const lines = isPlain ? [text] : text.split("\n").map((line) => line.replace(/^[^:]*:/, "").split("  ")[0] ?? "");
  const pairs = lines.flatMap((line) => line.replace(/[^0-9a-fA-F]/g, "").match(/../g) ?? []);
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

const hexdump: ShellCommand = defineCommand("hexdump", { short: "Cvn:s:xbcde:" }, async (options, context) => {
  const { bytes: all, stderr, exitCode } = joined("hexdump", await readInputs(options.operands, context));
  if (options.has("e", "b", "c", "d"))
    return { stderr: "hexdump: only -C and the default format are here; use od\n", exitCode: 1 };
  const bytes = window(options, all, "s", "n");
  const start = Number(options.value("s") ?? 0);
  const isCanonical = options.has("C");
  const width = isCanonical ? 8 : 7;
  const line = (offset: number, row: Uint8Array): string => {
    if (!isCanonical)
      return `${hex(offset, width)}${words(row)
        .map((word) => ` ${word}`)
        .join("")
        .padEnd(40)}\n`;
    const half = (from: number): string => Array.from(row.subarray(from, from + 8), (byte) => hex(byte, 2)).join(" ");
    return `${hex(offset, width)}  ${half(0).padEnd(23)}  ${half(8).padEnd(23)}  |${shown(row)}|\n`;
  };
  const body = await withoutRepeats(bytes, options.has("v"), context.signal, (offset, row) =>
    line(offset + start, row),
  );
  const end = bytes.length > 0 ? `${hex(bytes.length + start, width)}\n` : "";
  return { stdout: body + end, stderr, exitCode };
});

function words(row: Uint8Array): string[] {
  return Array.from(rows(row, 2), ([, pair]) => hex((pair[0] ?? 0) + (pair[1] ?? 0) * 256, 4));
}

/** Rows of 16 bytes; those that are as the one before are one line with `*`. */
function withoutRepeats(
  bytes: Uint8Array,
  showsAll: boolean,
  signal: AbortSignal,
  line: (offset: number, row: Uint8Array) => string,
): Promise<string> {
  let last: string | undefined;
  let isStarred = false;
  return printRows(bytes, 16, signal, (offset, row) => {
    const text = latin1(row);
    if (!showsAll && text === last && row.length === 16) {
      const star = isStarred ? "" : "*\n";
      isStarred = true;
      return star;
    }
    [last, isStarred] = [text, false];
    return line(offset, row);
  });
}

const ESCAPES: Readonly<Record<number, string>> = {
  0: "\\0",
  7: "\\a",
  8: "\\b",
  9: "\\t",
  10: "\\n",
  11: "\\v",
  12: "\\f",
  13: "\\r",
};

/** One unit of each format: its size, and its text in a column of a fixed width. */
const FORMATS: Readonly<Record<string, readonly [size: number, text: (unit: Uint8Array) => string]>> = {
  c: [
    1,
    ([byte = 0]) =>
      (
        ESCAPES[byte] ?? (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : byte.toString(8).padStart(3, "0"))
      ).padStart(4),
  ],
  x1: [1, ([byte = 0]) => ` ${hex(byte, 2)}`],
  o1: [1, ([byte = 0]) => ` ${byte.toString(8).padStart(3, "0")}`],
  u1: [1, ([byte = 0]) => String(byte).padStart(4)],
  d1: [1, ([byte = 0]) => String(byte > 127 ? byte - 256 : byte).padStart(5)],
  x2: [2, (unit) => ` ${words(unit)[0]}`],
  o2: [2, ([low = 0, high = 0]) => ` ${(low + high * 256).toString(8).padStart(6, "0")}`],
  u2: [2, ([low = 0, high = 0]) => String(low + high * 256).padStart(6)],
  x4: [4, ([a = 0, b = 0, c = 0, d = 0]) => ` ${hex(a + b * 256 + c * 65_536 + d * 16_777_216, 8)}`],
};

/** In place of just-bash's, which takes no `-N` and makes wider columns. */
const od: ShellCommand = defineCommand(
  "od",
  {
    short: "A:t:N:j:cbxvw::oad",
    long: { "address-radix=": "A", "format=": "t", "read-bytes=": "N", "skip-bytes=": "j" },
  },
  async (options, context) => {
    const { bytes: all, stderr, exitCode } = joined("od", await readInputs(options.operands, context));
    const bytes = window(options, all, "j", "N");
    const short = options.has("c") ? "c" : options.has("b") ? "o1" : options.has("x") ? "x2" : "o2";
    const asked = (options.value("t") ?? short).replace(/z$/, "").replace(/^x$/, "x4");
    const format = Object.hasOwn(FORMATS, asked) ? FORMATS[asked] : undefined;
    if (!format)
      return {
        stderr: `od: the format ${asked} is not here; there are ${Object.keys(FORMATS).join(", ")}\n`,
        exitCode: 1,
      };
    const radix = options.value("A") ?? "o";
    const start = Number(options.value("j") ?? 0);
    const address = (offset: number): string => {
      if (radix === "n") return "";
      const base = ({ x: 16, d: 10 } as Record<string, number>)[radix] ?? 8;
      return offset.toString(base).padStart(radix === "x" ? 6 : 7, "0");
    };
    const body = await withoutRepeats(bytes, options.has("v"), context.signal, (offset, row) => {
      const [size, text] = format;
      return `${address(offset + start)}${Array.from(rows(row, size), ([, unit]) => text(unit)).join("")}\n`;
    });
    const end = radix === "n" ? "" : `${address(bytes.length + start)}\n`;
    return { stdout: body + end, stderr, exitCode };
  },
);

export const HEX_COMMANDS: readonly ShellCommand[] = [xxd, hexdump, od];
