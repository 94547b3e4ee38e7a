import type { Command } from "../syntax-nodes.ts";
import { compileCase } from "./compile-case.ts";
import { compileArithmeticCommand, compileConditionalCommand } from "./compile-conditions.ts";
import { compileFor, compileCountingFor, compileIf, compileWhile } from "./compile-loops.ts";
import { compileSimple } from "./compile-simple.ts";
import { compileRedirections } from "./redirect.ts";
import { innerScope, refuse, type Scope, subshellScope } from "./scope.ts";
import type { Code } from "./shell-state.ts";
import { subshellOf } from "./shell-state.ts";
import { runSubshell } from "./subshell.ts";

/** One command of a pipeline, of whatever kind. */
export function compileCommand(command: Command, scope: Scope): Code {
  if (command.type === "SimpleCommand") return compileSimple(command, scope);
  if (command.type === "FunctionDef") {
    const { name, body, redirections } = command;
    if (redirections.length > 0) refuse("a redirected function");
    const code = compileCommand(body, innerScope(scope, { loops: 0, isInFunction: true, sharesInput: true }));
    return async (shell) => {
      shell.functions.set(name, code);
      return 0;
    };
  }
  const redirected = compileRedirections(command.redirections, scope);
  const readsFile = command.redirections.some(({ operator }) => operator.startsWith("<"));
  const code = compileCompound(command, innerScope(scope, readsFile ? { sharesInput: true } : {}));
  return command.redirections.length === 0 ? code : (shell) => redirected(shell, false, code);
}

function compileCompound(command: Exclude<Command, { type: "SimpleCommand" | "FunctionDef" }>, scope: Scope): Code {
  switch (command.type) {
    case "If":
      return compileIf(command, scope);
    case "For":
      return compileFor(command, scope);
    case "CStyleFor":
      return compileCountingFor(command, scope);
    case "While":
    case "Until":
      return compileWhile(command, scope);
    case "Case":
      return compileCase(command, scope);
    case "Group":
      return scope.compile.list(command.body, scope);
    case "Subshell": {
      const inner = subshellScope(scope);
      const code = inner.compile.list(command.body, inner);
      return (shell) => runSubshell(subshellOf(shell), code);
    }
    case "ArithmeticCommand":
      return compileArithmeticCommand(command, scope);
    case "ConditionalCommand":
      return compileConditionalCommand(command, scope);
  }
}
