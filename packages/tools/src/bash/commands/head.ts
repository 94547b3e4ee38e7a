import { DEVICE_PATHS } from "../devices.ts";
import type { CommandContext, CommandOutput, ShellCommand } from "../shell-command.ts";
import { byteCount } from "./byte-count.ts";
import { isCutYes } from "./byte-commands.ts";
import { defineCommand } from "./define-command.ts";
import { type ParsedOptions, UsageError } from "./parse-options.ts";
import { joinBytes } from "../../web/read-body.ts";
import { readInput } from "./read-inputs.ts";

const LONG = { "lines=": "n", "bytes=": "c", quiet: "q", silent: "q", verbose: "v", "zero-terminated": "z" };

/** How much of an input: from its start, or all but so much at its end. */
interface Amount {
  readonly unit: "lines" | "bytes";
  readonly count: number;
  readonly fromEnd: boolean;
  readonly text: string;
}

const parsed: ShellCommand = defineCommand("head", { short: "n:c:qvz", long: LONG }, async (options, context) => {
  const amount = amountOf(options);
  const names = options.operands.length > 0 ? options.operands : ["-"];
  const hasHeadings = options.has("v") || (names.length > 1 && !options.has("q"));
  const parts: Uint8Array[] = [];
  let stderr = "";
  for (const name of names) {
    const { bytes, problem } = await readSome(name, amount, context);
    if (problem !== undefined) {
      stderr += `head: ${problem}\n`;
      continue;
    }
    const heading = `${parts.length > 0 ? "\n" : ""}==> ${name === "-" ? "standard input" : name} <==\n`;
    if (hasHeadings) parts.push(new TextEncoder().encode(heading));
    parts.push(startOf(bytes, amount, options.has("z") ? 0 : 10));
  }
  return { stdout: joinBytes(parts), stderr, exitCode: stderr ? 1 : 0 };
});

/** In place of just-bash's, which knows no counts from the end, no units, and takes a device for a file. */
export const head: ShellCommand = {
  name: "head",
  run: (args, context): Promise<CommandOutput> => {
    const [first = "", ...rest] = args;
    // `-20` and `-20c` are older than options.
    const [, count, unit] = /^-(\d+[bkm]?)(c?)[qv]*$/.exec(first) ?? [];
    return parsed.run(count === undefined ? args : [unit ? "-c" : "-n", count, ...rest], context);
  },
};

function amountOf(options: ParsedOptions): Amount {
  const [name, text] = options.given.findLast(([option]) => option === "n" || option === "c") ?? ["n", "10"];
  const unit = name === "c" ? "bytes" : "lines";
  const [, sign, digits = ""] = /^([+-]?)(\d+[a-zA-Z]*)$/.exec(text) ?? [];
  const count = digits === "" ? undefined : byteCount(digits);
  if (count === undefined) throw new UsageError(`invalid number of ${unit}: '${text}'`);
  return { unit, count, fromEnd: sign === "-", text };
}

async function readSome(
  name: string,
  amount: Amount,
  context: CommandContext,
): Promise<{ readonly bytes: Uint8Array; readonly problem?: string }> {
  const { unit, count, fromEnd, text } = amount;
  const input = await readInput(name, context);
  if (input.problem !== undefined)
    return {
      bytes: new Uint8Array(),
      problem:
        input.problem === "Is a directory"
          ? `error reading '${name}': ${input.problem}`
          : `cannot open '${name}' for reading: ${input.problem}`,
    };
  // What never ends was read in part: fewer bytes than asked for would be wrong.
  const isEndless = name !== "/dev/null" && DEVICE_PATHS.includes(name);
  if (isEndless && (unit === "lines" || fromEnd || count > input.bytes.length))
    return {
      bytes: new Uint8Array(),
      problem: `${name} never ends; at most ${input.bytes.length} bytes of it are possible here, not ${text}`,
    };
  if (isShort(input.bytes, amount) && isCutYes(input.bytes))
    return {
      bytes: new Uint8Array(),
      problem: `yes never ends; at most ${input.bytes.length} bytes of it are possible here, which is not ${text} ${unit}`,
    };
  return { bytes: input.bytes };
}

/** Whether more was asked for than there is. */
function isShort(bytes: Uint8Array, { unit, count, fromEnd }: Amount): boolean {
  if (fromEnd) return false;
  if (unit === "bytes") return bytes.length < count;
  let lines = 0;
  for (let at = bytes.indexOf(10); at !== -1 && lines < count; at = bytes.indexOf(10, at + 1)) lines++;
  return lines < count;
}

function startOf(bytes: Uint8Array, { unit, count, fromEnd }: Amount, end: number): Uint8Array {
  if (unit === "bytes") return bytes.subarray(0, fromEnd ? Math.max(0, bytes.length - count) : count);
  if (!fromEnd) {
    let at = 0;
    for (let line = 0; line < count && at < bytes.length; line++) {
      const found = bytes.indexOf(end, at);
      at = found === -1 ? bytes.length : found + 1;
    }
    return bytes.subarray(0, at);
  }
  // Whatever is behind the last line end is a line too.
  let at = bytes.length;
  for (let line = 0; line < count && at > 0; line++) at = bytes.lastIndexOf(end, at - 2) + 1;
  return bytes.subarray(0, at);
}
