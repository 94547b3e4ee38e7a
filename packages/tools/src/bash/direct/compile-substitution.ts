import { MAX_SUBSTITUTION_DEPTH } from "../limits.ts";
import type { Script } from "../parse-line.ts";
import { overLimit } from "./endings.ts";
import { textOf } from "./output-text.ts";
import { compileRedirections } from "./redirect.ts";
import { refuse, type Scope, subshellScope, type Text } from "./scope.ts";
import { type Shell, subshellOf } from "./shell-state.ts";
import { Buffered } from "./sinks.ts";
import { runSubshell } from "./subshell.ts";

/** `$(…)`: what a subshell prints, without the line ends at its end. */
export function compileSubstitution({ statements }: Script, scope: Scope): Text {
  const inner = subshellScope(scope);
  const code = isFileOnly(statements) ? printInput(statements, inner) : inner.compile.list(statements, inner);
  return async (shell) => {
    if (shell.depth >= MAX_SUBSTITUTION_DEPTH) throw overLimit("command substitution nesting limit exceeded");
    const printed = new Buffered();
    const { options, depth } = shell;
    const changes = { stdout: printed, depth: depth + 1, options: { ...options, errexit: false } };
    shell.substituted = await runSubshell(subshellOf(shell, changes), code);
    shell.status = shell.substituted;
    return withoutEnd(textOf(printed.chunks).replaceAll("\0", ""));
  };
}

function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === "\n") end--;
  return text.slice(0, end);
}

type Statements = Script["statements"];

/** `$(< file)` */
function isFileOnly(statements: Statements): boolean {
  const [statement, ...more] = statements;
  const [pipeline, ...pipelines] = statement?.pipelines ?? [];
  const [command, ...commands] = pipeline?.commands ?? [];
  if (command?.type !== "SimpleCommand" || more.length + pipelines.length + commands.length > 0) return false;
  const { name, assignments, redirections } = command;
  return !name && assignments.length === 0 && redirections.length === 1 && redirections[0]?.operator === "<";
}

function printInput(statements: Statements, scope: Scope): (shell: Shell) => Promise<number> {
  const command = statements[0]?.pipelines[0]?.commands[0];
  if (command?.type !== "SimpleCommand") return refuse("$(<)");
  const redirected = compileRedirections(command.redirections, scope);
  return (shell) =>
    redirected(shell, false, async () => {
      shell.stdout.write(shell.stdin.rest().bytes());
      return 0;
    });
}
