import type { CommandSpec } from "../cli/command-spec.ts";
import { EXIT, type ExitCode } from "../cli/exit-code.ts";
import type { ParsedCommand } from "../cli/parse-command.ts";
import type { Surroundings } from "../cli/surroundings.ts";
import { UsageError } from "../cli/usage-error.ts";
import { bashCompletion } from "./bash-completion.ts";
import { fishCompletion } from "./fish-completion.ts";

/** `tenrec completion`. */
export function completionCommand(
  { words }: ParsedCommand,
  commands: readonly CommandSpec[],
  { stdout, data }: Surroundings,
): ExitCode {
  const script = scriptFor(words[0], commands, `${data}/sessions`);
  if (script === undefined) throw new UsageError("Name a shell: tenrec completion bash|zsh|fish");
  stdout.write(script);
  return EXIT.done;
}

function scriptFor(shell: string | undefined, commands: readonly CommandSpec[], sessions: string): string | undefined {
  if (shell === "bash") return bashCompletion(commands, sessions);
  // zsh runs bash's completion functions.
  if (shell === "zsh") return `autoload -U +X bashcompinit && bashcompinit\n${bashCompletion(commands, sessions)}`;
  if (shell === "fish") return fishCompletion(commands, sessions);
  return undefined;
}
