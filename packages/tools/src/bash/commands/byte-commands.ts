import type { CommandContext, CommandOutput, ShellCommand } from "../shell-command.ts";
import { byteCount } from "./byte-count.ts";
import { defineCommand } from "./define-command.ts";
import { UsageError } from "./parse-options.ts";
import { latin1 } from "../encoding.ts";
import { problemOf } from "../problem-of.ts";
import { readInput, readInputs } from "./read-inputs.ts";

/** Nothing that these commands make is larger: they make it in memory. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Lines of `yes`, which elsewhere ends when nobody reads on. */
const YES_BYTES = 1024 * 1024;

/** Whether these are all the lines that `yes` makes, and not what is printed by something that ends. */
export function isCutYes(bytes: Uint8Array): boolean {
  const length = bytes.indexOf(10) + 1;
  if (length === 0 || bytes.length + length <= YES_BYTES || bytes.length > Math.max(YES_BYTES, length)) return false;
  return bytes.every((byte, at) => byte === bytes[at % length]);
}

/** A number of bytes such as `4K`; a `UsageError` when it is none, or more than can be here. */
function bytesOf(text: string): number {
  const bytes = byteCount(text);
  if (bytes === undefined) throw new UsageError(`invalid number: '${text}'`);
  if (bytes > MAX_BYTES)
    throw new UsageError(`${text} is more than the ${MAX_BYTES / 1024 ** 2} MiB that are possible here`);
  return bytes;
}

const truncate: ShellCommand = defineCommand(
  "truncate",
  { short: "s:cr:o", long: { "size=": "s", "no-create": "c", "reference=": "r" } },
  async (options, context) => {
    const [, sign = "", text = ""] = /^([+<>/%-]?)(.*)$/.exec(options.value("s") ?? "") ?? [];
    const reference = options.value("r");
    const wanted = reference === undefined ? bytesOf(text) : (await context.fs.stat(context.resolve(reference))).size;
    for (const name of options.operands) {
      const path = context.resolve(name);
      const before = await context.fs.readFileBuffer(path).catch(() => undefined);
      if (!before && options.has("c")) continue;
      const old = before ?? new Uint8Array();
      const sizes: Readonly<Record<string, number>> = {
        "+": old.length + wanted,
        "-": Math.max(0, old.length - wanted),
        "<": Math.min(old.length, wanted),
        ">": Math.max(old.length, wanted),
      };
      const after = new Uint8Array(sizes[sign] ?? wanted);
      after.set(old.subarray(0, after.length));
      await context.fs.writeFile(path, after);
    }
    return {};
  },
);

const dd: ShellCommand = {
  name: "dd",
  async run(args, context) {
    const given = new Map(args.map((arg) => [arg.slice(0, arg.indexOf("=")), arg.slice(arg.indexOf("=") + 1)]));
    try {
      return await copyBlocks(given, context);
    } catch (error) {
      return { stderr: `dd: ${error instanceof UsageError ? error.message : problemOf(error)}\n`, exitCode: 1 };
    }
  },
};

async function copyBlocks(given: ReadonlyMap<string, string>, context: CommandContext): Promise<CommandOutput> {
  const block = bytesOf(given.get("bs") ?? given.get("ibs") ?? "512");
  const count = (key: string): number => bytesOf(String(Number(given.get(key) ?? 0) * block));
  const limit = given.has("count") ? count("count") : undefined;
  const bytes = await sourceBytes(given.get("if") ?? "-", count("skip"), limit, context);
  const records = `${Math.floor(bytes.length / block)}+${bytes.length % block ? 1 : 0}`;
  const told = `${records} records in\n${records} records out\n${bytes.length} bytes copied\n`;
  const stderr = given.get("status") === "none" ? "" : told;
  const target = given.get("of");
  if (target === undefined) return { stdout: bytes, stderr };
  const keepsEnd = given.get("conv")?.includes("notrunc") ?? false;
  await writeAt(context, context.resolve(target), bytes, count("seek"), keepsEnd);
  return { stderr };
}

async function sourceBytes(
  source: string,
  skip: number,
  limit: number | undefined,
  context: CommandContext,
): Promise<Uint8Array> {
  if (source === "/dev/zero") {
    if (limit === undefined) throw new UsageError(`${source} never ends; give a count`);
    return new Uint8Array(limit);
  }
  const input = await readInput(source, context);
  if (input.problem !== undefined) throw new UsageError(`failed to open '${source}': ${input.problem}`);
  return input.bytes.subarray(skip, limit === undefined ? undefined : skip + limit);
}

async function writeAt(
  { fs }: CommandContext,
  path: string,
  bytes: Uint8Array,
  seek: number,
  keepsEnd: boolean,
): Promise<void> {
  const old = seek > 0 || keepsEnd ? await fs.readFileBuffer(path).catch(() => new Uint8Array()) : new Uint8Array();
  const after = new Uint8Array(Math.max(seek + bytes.length, keepsEnd ? old.length : 0));
  after.set(old.subarray(0, keepsEnd ? old.length : seek));
  after.set(bytes, seek);
  await fs.writeFile(path, after);
}

const cmp: ShellCommand = defineCommand(
  "cmp",
  { short: "slbn:i:", long: { silent: "s", quiet: "s", verbose: "l", "bytes=": "n" } },
  async (options, context) => {
    const [left = "-", right = "-"] = options.operands;
    const inputs = await Promise.all([readInput(left, context), readInput(right, context)]);
    const problems = inputs.flatMap(({ name, problem }) =>
      problem === undefined ? [] : [`cmp: ${name}: ${problem}\n`],
    );
    if (problems.length > 0) return { stderr: options.has("s") ? "" : problems.join(""), exitCode: 2 };
    const most = options.value("n");
    const [a, b] = inputs.map(({ bytes = new Uint8Array() }) =>
      most === undefined ? bytes : bytes.subarray(0, bytesOf(most)),
    ) as [Uint8Array, Uint8Array];
    const shorter = Math.min(a.length, b.length);
    let at = 0;
    while (at < shorter && a[at] === b[at]) at++;
    if (at === shorter && a.length === b.length) return {};
    if (options.has("s")) return { exitCode: 1 };
    const line = latin1(a.subarray(0, at)).split("\n").length;
    if (at < shorter) return { stdout: `${left} ${right} differ: byte ${at + 1}, line ${line}\n`, exitCode: 1 };
    const short = a.length < b.length ? left : right;
    const where = a[at - 1] === 10 || b[at - 1] === 10 ? `line ${line - 1}` : `in line ${line}`;
    return {
      stderr: at === 0 ? `cmp: EOF on ${short} which is empty\n` : `cmp: EOF on ${short} after byte ${at}, ${where}\n`,
      exitCode: 1,
    };
  },
  2,
);

const yes: ShellCommand = {
  name: "yes",
  run: async (args) => {
    const line = `${args.join(" ") || "y"}\n`;
    return { stdout: line.repeat(Math.max(1, Math.floor(YES_BYTES / new TextEncoder().encode(line).length))) };
  },
};

const shuf: ShellCommand = defineCommand(
  "shuf",
  { short: "en:i:o:rz", long: { echo: "e", "head-count=": "n", "input-range=": "i", "output=": "o", repeat: "r" } },
  async (options, context) => {
    const lines = await shufInput(
      options.value("i"),
      options.has("e") ? options.operands : undefined,
      options.operands,
      context,
    );
    for (let at = lines.length - 1; at > 0; at--) {
      const other = Math.floor(((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32) * (at + 1));
      [lines[at], lines[other]] = [lines[other] ?? "", lines[at] ?? ""];
    }
    const count = options.value("n");
    const kept = count === undefined ? lines : lines.slice(0, Number(count));
    return { stdout: kept.map((line) => `${line}\n`).join("") };
  },
);

async function shufInput(
  range: string | undefined,
  words: readonly string[] | undefined,
  operands: readonly string[],
  context: CommandContext,
): Promise<string[]> {
  if (words) return [...words];
  if (range !== undefined) {
    const [low = 0, high = 0] = range.split("-").map(Number);
    if (!(high - low < 1_000_000)) throw new UsageError(`invalid input range: '${range}'`);
    return Array.from({ length: high - low + 1 }, (_, at) => String(low + at));
  }
  const [input] = await readInputs(operands, context);
  if (input?.problem !== undefined) throw new UsageError(`${input.name}: ${input.problem}`);
  const lines = new TextDecoder().decode(input?.bytes).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

export const BYTE_COMMANDS: readonly ShellCommand[] = [truncate, dd, cmp, yes, shuf];
