import type { BashPorts } from "./bash.ts";
import type { ShellCommand } from "./shell-command.ts";

/**
 * The commands of the shell that are ours, made anew for each call over its ports. One that a port is missing for is left
 * out; if it is a heavy one, it then needs an executor.
 */
export function createShellCommands(_ports: BashPorts): ShellCommand[] {
  return [];
}
