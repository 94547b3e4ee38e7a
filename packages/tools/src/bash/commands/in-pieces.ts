import { fromLatin1, latin1 } from "../encoding.ts";
import type { CommandContext, CommandOutput, ShellCommand } from "../shell-command.ts";
import { piecesOf } from "./pieces.ts";
import { readInputs } from "./read-inputs.ts";
import { joinBytes } from "../../web/read-body.ts";

/**
 * A command of just-bash that does to each line the same, in pieces of its input: by itself it does not let go of the event
 * loop. `withValue` are its options that take a value.
 */
function inPieces(name: string, withValue: string): ShellCommand {
  const takesValue = new RegExp(`^-[${withValue}]$`);
  return {
    name,
    callsOriginal: true,
    async run(args, context) {
      const isValue = (at: number): boolean => withValue !== "" && takesValue.test(args[at - 1] ?? "");
      const isOption = args.map((arg, at) => /^-./.test(arg) || isValue(at));
      const options = args.filter((_, at) => isOption[at]);
      const names = args.filter((_, at) => !isOption[at]);
      const inputs = await readInputs(names, context);
      const bytes = inputs.flatMap((input) => input.bytes ?? []);
      const length = bytes.reduce((sum, each) => sum + each.length, 0);
      if (length < SMALL || bytes.length < inputs.length) return context.original(args);
      return runPieces([name, ...options], bytes, context);
    },
  };
}

async function runPieces(
  words: readonly string[],
  inputs: readonly Uint8Array[],
  { exec, signal }: CommandContext,
): Promise<CommandOutput> {
  const printed: Uint8Array[] = [];
  for (const bytes of inputs) {
    for await (const piece of piecesOf(latin1(bytes), signal)) {
      const { stdout = "", stderr = "", exitCode } = await exec(words, fromLatin1(piece));
      printed.push(typeof stdout === "string" ? new TextEncoder().encode(stdout) : stdout);
      if (exitCode) return { stdout: joinBytes(printed), stderr, exitCode };
    }
  }
  return { stdout: joinBytes(printed) };
}

/** Bytes that are done at once; no less than a piece, or it would be taken apart without end. */
const SMALL = 512 * 1024;

export const LINE_COMMANDS: readonly ShellCommand[] = [
  inPieces("rev", ""),
  inPieces("expand", "t"),
  inPieces("unexpand", "t"),
  inPieces("fold", "w"),
];
