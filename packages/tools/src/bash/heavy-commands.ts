import { commandsIn } from "./commands-in.ts";
import { HEAVY_COMMANDS } from "./shell-commands.ts";

/** The heavy commands that a command line names. A name that is made while running is not seen here. */
export function heavyCommandsIn(commandLine: string): string[] {
  const names = commandsIn(commandLine).flatMap(([name]) =>
    name !== undefined && HEAVY_COMMANDS.has(name) ? [name] : [],
  );
  return [...new Set(names)];
}
