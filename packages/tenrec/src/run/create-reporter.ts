import type { Surroundings } from "../cli/surroundings.ts";
import { jsonReporter } from "./json-reporter.ts";
import type { Reporter } from "./reporter.ts";
import type { RunOptions } from "./run-options.ts";
import { terminalReporter } from "./terminal-reporter.ts";

/** Where this run tells what it does: events for a program, or text for a person. */
export function createReporter({ json, patch }: RunOptions, around: Surroundings): Reporter {
  const { stdout, stderr, paint, width, program } = around;
  const warn = (text: string): void => void stderr.write(text.endsWith("\n") ? text : `${text}\n`);
  if (json) return jsonReporter((line) => void stdout.write(line), warn);
  // A patch on standard output is to be the only thing there.
  const stream = patch === "-" ? stderr : stdout;
  const write = (text: string): void => void stream.write(text);
  const isTerminal = stream.isTTY && around.env["TERM"] !== "dumb";
  return terminalReporter({ write, warn, paint, width, isTerminal, program });
}
