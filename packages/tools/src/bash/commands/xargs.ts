import type { CommandContext, CommandOutput, ShellCommand } from "../shell-command.ts";
import { defineCommand } from "./define-command.ts";
import { fromLatin1, latin1 } from "../encoding.ts";
import { type ParsedOptions, UsageError } from "./parse-options.ts";

const LONG = {
  null: "0",
  "max-args=": "n",
  "max-lines?": "L",
  "max-procs=": "P",
  "replace?": "I",
  "no-run-if-empty": "r",
  "delimiter=": "d",
  "max-chars=": "s",
  verbose: "t",
  "arg-file=": "a",
};

/** In place of just-bash's, which takes no attached values, splits what `-I` must keep, and skips an empty input. */
export const xargs: ShellCommand = {
  callsOthers: true,
  ...defineCommand(
    "xargs",
    { short: "0n:L:P:I:i::rd:s:tpxa:E:", long: LONG, stopsAtOperand: true },
    async (options, context) => {
      const command = options.operands.length > 0 ? options.operands : ["echo"];
      const path = options.value("a");
      const bytes = path === undefined ? context.stdin.bytes() : await context.fs.readFileBuffer(context.resolve(path));
      const text = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes);
      const calls = callsFor(options, command, text);
      return runCalls(calls, options.has("t"), context);
    },
  ),
};

function callsFor(options: ParsedOptions, command: readonly string[], text: string): string[][] {
  const mark = options.value("I", "i");
  if (mark !== undefined) {
    const wanted = mark === "" ? "{}" : mark;
    const lines = splitBy(options, text) ?? text.split("\n").filter((line) => line.trim() !== "");
    return lines.map((line) => command.map((word) => word.replaceAll(wanted, () => line.replace(/^[ \t]+/, ""))));
  }
  const lineCount = options.value("L");
  if (lineCount !== undefined) {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    return group(lines, numberOf(lineCount, "L")).map((some) => [...command, ...some.flatMap(splitWords)]);
  }
  const words = splitBy(options, text) ?? splitWords(text);
  if (words.length === 0) return options.has("r") ? [] : [[...command]];
  const most = options.value("n");
  // As many as fit into the 128 KiB of a system's command line, more or less.
  return group(words, most === undefined ? 5000 : numberOf(most, "n")).map((some) => [...command, ...some]);
}

/** What a delimiter separates; undefined when blanks and quotes do. */
function splitBy(options: ParsedOptions, text: string): string[] | undefined {
  const given = options.value("d");
  const delimiter = options.has("0") ? "\0" : given?.replace(/^\\(.)$/, (_, char: string) => ESCAPES[char] ?? char);
  if (delimiter === undefined) return undefined;
  const parts = text.split(delimiter);
  if (parts.at(-1) === "") parts.pop();
  return parts;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", "0": "\0" };

function splitWords(text: string): string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(/(?:"[^"\n]*"|'[^'\n]*'|\\.|[^\s"'\\])+/gs)) {
    words.push(
      word.replace(/"([^"\n]*)"|'([^'\n]*)'|\\(.)/gs, (_, a?: string, b?: string, c?: string) => a ?? b ?? c ?? ""),
    );
  }
  return words;
}

function group<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

function numberOf(text: string, option: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new UsageError(`value ${text} for -${option} option should be >= 1`);
  return number;
}

async function runCalls(
  calls: readonly string[][],
  isVerbose: boolean,
  context: CommandContext,
): Promise<CommandOutput> {
  let stdout = "";
  let stderr = "";
  let exitCode = 0;
  for (const words of calls) {
    context.signal.throwIfAborted();
    if (isVerbose) stderr += `${words.join(" ")}\n`;
    const result = await context.exec(words, new Uint8Array());
    stdout +=
      typeof result.stdout === "string"
        ? latin1(new TextEncoder().encode(result.stdout))
        : latin1(result.stdout ?? new Uint8Array());
    stderr += result.stderr ?? "";
    const code = result.exitCode ?? 0;
    if (code === 126 || code === 127) return { stdout: fromLatin1(stdout), stderr, exitCode: code };
    if (code === 255)
      return {
        stdout: fromLatin1(stdout),
        stderr: `${stderr}xargs: ${words[0]}: exited with status 255; aborting\n`,
        exitCode: 124,
      };
    if (code !== 0) exitCode = 123;
  }
  return { stdout: fromLatin1(stdout), stderr, exitCode };
}
