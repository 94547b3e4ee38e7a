import type { Pipeline } from "../syntax-nodes.ts";
import { ShellEnd } from "./endings.ts";
import type { Code, Shell } from "./shell-state.ts";

/** Runs what `set -e` does not end. */
export async function tested(code: Code, shell: Shell): Promise<number> {
  shell.tested++;
  try {
    return await code(shell);
  } finally {
    shell.tested--;
  }
}

/** Ends the shell after a command that failed, with `set -e`. */
export function checkErrors({ status, options, tested: depth, leave }: Shell): void {
  if (status !== 0 && options.errexit && depth === 0 && !leave) throw new ShellEnd(status);
}

/** What fails in a loop or the like has ended the shell by itself. */
export function endsAtErrors({ commands, negated }: Pipeline): boolean {
  const [first] = commands;
  if (negated) return false;
  return (
    commands.length > 1 || /^(SimpleCommand|Subshell|ArithmeticCommand|ConditionalCommand)$/.test(first?.type ?? "")
  );
}
