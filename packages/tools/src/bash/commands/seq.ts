import type { ShellCommand } from "../shell-command.ts";
import { parseOptions, UsageError } from "./parse-options.ts";
import { breathe } from "./pieces.ts";

/** Most characters of output: what the shell takes from a command. */
const MAX_LENGTH = 5 * 1024 * 1024;
const LINES_PER_TURN = 10_000;

interface Range {
  readonly first: number;
  readonly step: number;
  readonly last: number;
  readonly digits: number;
  readonly width: number;
  readonly separator: string;
  readonly format: string | undefined;
}

/** In place of just-bash's, which ends the whole script after 10,000 numbers. */
export const seq: ShellCommand = {
  name: "seq",
  async run(args, { signal }) {
    try {
      const range = rangeOf(args);
      const { first, step, last, separator } = range;
      const count = Math.floor((last - first) / step + 1e-10) + 1;
      if (!(count > 0)) return {};
      const numbers: string[] = [];
      let length = 0;
      for (let at = 0; at < count; at++) {
        const text = shown(first + at * step, range);
        length += text.length + separator.length;
        if (length > MAX_LENGTH)
          return { stderr: `seq: more than the ${MAX_LENGTH / 1024 ** 2} MiB that are possible here\n`, exitCode: 1 };
        numbers.push(text);
        if (at % LINES_PER_TURN === LINES_PER_TURN - 1) await breathe(signal);
      }
      return { stdout: `${numbers.join(separator)}\n` };
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return { stderr: `seq: ${error.message}\n`, exitCode: 1 };
    }
  },
};

const LONG = { "format=": "f", "separator=": "s", "equal-width": "w" };

function rangeOf(args: readonly string[]): Range {
  // A negative number is no option.
  const at = args.findIndex((arg, index) => /^[+-]?[\d.]/.test(arg) && !TAKES_VALUE.test(args[index - 1] ?? ""));
  const words = at === -1 ? args : [...args.slice(0, at), "--", ...args.slice(at)];
  const options = parseOptions(words, { short: "f:s:w", long: LONG });
  const { operands } = options;
  if (operands.length === 0) throw new UsageError("missing operand");
  if (operands.length > 3) throw new UsageError(`extra operand '${operands[3]}'`);
  const [first, step, last] = threeOf(operands).map(numberOf) as [number, number, number];
  if (step === 0) throw new UsageError(`invalid Zero increment value: '${operands[1]}'`);
  const counted = operands.length === 1 ? [] : operands.slice(0, -1);
  const digits = Math.max(0, ...counted.map((text) => /\.(\d*)/.exec(text)?.[1]?.length ?? 0));
  const width = options.has("w") ? Math.max(...[first, last].map((number) => number.toFixed(digits).length)) : 0;
  return { first, step, last, digits, width, separator: options.value("s") ?? "\n", format: options.value("f") };
}

const TAKES_VALUE = /^(?:-w?[fs]|--format|--separator)$/;

function threeOf(operands: readonly string[]): string[] {
  const [a = "", b, c] = operands;
  if (b === undefined) return ["1", "1", a];
  return c === undefined ? [a, "1", b] : [a, b, c];
}

function numberOf(text: string): number {
  const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(number)) throw new UsageError(`invalid floating point argument: '${text}'`);
  return number;
}

function shown(value: number, { digits, width, format }: Range): string {
  if (format === undefined) return pad(value.toFixed(digits), width);
  return format.replace(
    /%%|%([0-]*)(\d*)(?:\.(\d+))?[efgEFG]/g,
    (all, flags: string, size: string, places?: string) => {
      if (all === "%%") return "%";
      const text = /[gG]$/.test(all) ? String(value) : value.toFixed(Number(places ?? 6));
      if (flags.includes("-")) return text.padEnd(Number(size));
      return flags.includes("0") ? pad(text, Number(size)) : text.padStart(Number(size));
    },
  );
}

function pad(text: string, width: number): string {
  return text.startsWith("-") ? `-${text.slice(1).padStart(width - 1, "0")}` : text.padStart(width, "0");
}
