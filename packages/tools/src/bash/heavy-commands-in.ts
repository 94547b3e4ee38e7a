import { type CommandWords, commandsIn } from "./commands-in.ts";
import type { ParsedLine } from "./parse-line.ts";
import type { ShellCommand } from "./shell-command.ts";

/**
 * Those of the `heavy` commands that a command line names, and those of our own that cannot run with the arguments that they
 * have in it. A name that is made while running is not seen here.
 */
export function heavyCommandsIn(
  commandLine: string | ParsedLine,
  heavy: ReadonlySet<string>,
  own: readonly ShellCommand[] = [],
): string[] {
  const isHeavy = ([name, ...args]: CommandWords): boolean =>
    name !== undefined && (heavy.has(name) || own.some((each) => each.name === name && each.takes?.(args) === false));
  const names = commandsIn(commandLine).flatMap((words) => (isHeavy(words) ? [words[0] ?? ""] : []));
  return [...new Set(names)];
}
