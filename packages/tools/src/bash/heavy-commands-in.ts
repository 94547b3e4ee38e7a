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
  const isHeavy = ([name, ...args]: CommandWords): boolean => {
    if (name === undefined || heavy.has(name)) return name !== undefined;
    const candidates = own.filter((each) => each.name === name);
    // One of the same name may take what another one does not.
    return candidates.length > 0 && candidates.every((each) => each.takes?.(args) === false);
  };
  const names = commandsIn(commandLine).flatMap((words) => (isHeavy(words) ? [words[0] ?? ""] : []));
  return [...new Set(names)];
}
