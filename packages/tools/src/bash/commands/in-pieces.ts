import { fromLatin1, latin1 } from "../encoding.ts";
import type { ShellCommand } from "../shell-command.ts";
import { piecesOf } from "./pieces.ts";
import { readInputs } from "./read-inputs.ts";
import { joinBytes } from "../../web/read-body.ts";

/**
 * A command of just-bash that does to each line the same, in pieces of its input: by itself it does not let go of the event
 * loop. `withValue` are its options that take a value.
 */
export function inPieces(name: string, withValue: string): ShellCommand {
  const takesValue = new RegExp(`^-[${withValue}]$`);
  return {
    name,
    callsOriginal: true,
    async run(args, context) {
      const options: string[] = [];
      const names: string[] = [];
      for (let at = 0; at < args.length; at++) {
        const arg = args[at] ?? "";
        if (!/^-./.test(arg)) names.push(arg);
        else options.push(arg, ...(withValue && takesValue.test(arg) ? [args[++at] ?? ""] : []));
      }
      const inputs = await readInputs(names, context);
      const length = inputs.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0);
      if (length < SMALL || inputs.some(({ bytes }) => bytes === undefined)) return context.original(args);
      const printed: Uint8Array[] = [];
      for (const { bytes = new Uint8Array() } of inputs) {
        for await (const piece of piecesOf(latin1(bytes), context.signal)) {
          const { stdout = "", stderr, exitCode } = await context.exec([name, ...options], fromLatin1(piece));
          printed.push(typeof stdout === "string" ? new TextEncoder().encode(stdout) : stdout);
          if (exitCode) return { stdout: joinBytes(printed), ...(stderr ? { stderr } : {}), exitCode };
        }
      }
      return { stdout: joinBytes(printed) };
    },
  };
}

/** Bytes that are done at once; no less than a piece, or it would be taken apart without end. */
const SMALL = 512 * 1024;

export const LINE_COMMANDS: readonly ShellCommand[] = [
  inPieces("rev", ""),
  inPieces("expand", "t"),
  inPieces("unexpand", "t"),
  inPieces("fold", "w"),
];
