import { commandsIn } from "./commands-in.ts";

/** Those of the `heavy` commands that a command line names. A name that is made while running is not seen here. */
export function heavyCommandsIn(commandLine: string, heavy: ReadonlySet<string>): string[] {
  const names = commandsIn(commandLine).flatMap(([name]) => (name !== undefined && heavy.has(name) ? [name] : []));
  return [...new Set(names)];
}
