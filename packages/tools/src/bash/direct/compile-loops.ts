import { compileArithmetic } from "./arithmetic.ts";
import { compileWords } from "./compile-word.ts";
import { tested } from "./errexit.ts";
import type { ArithmeticExpression, NodeOf } from "./nodes.ts";
import { innerScope, refuse, type Scope } from "./scope.ts";
import type { Code, Shell } from "./shell-state.ts";
import { takeRound } from "./turns.ts";
import { isPlainName, setVariable } from "./variables.ts";

export function compileIf({ clauses, elseBody }: NodeOf<"If">, scope: Scope): Code {
  const compiled = clauses.map(({ condition, body }) => ({
    condition: scope.compile.list(condition, scope),
    body: scope.compile.list(body, scope),
  }));
  const otherwise = elseBody && scope.compile.list(elseBody, scope);
  return async (shell) => {
    for (const { condition, body } of compiled) {
      const status = await tested(condition, shell);
      if (shell.leave) return status;
      if (status === 0) return body(shell);
    }
    return otherwise ? otherwise(shell) : 0;
  };
}

/** How a loop goes on after its body: what `break` and `continue` say is for this one, or for one around it. */
function isLeft(shell: Shell): boolean {
  const { leave } = shell;
  if (!leave) return false;
  if (leave.kind === "return") return true;
  if (leave.count > 1) {
    leave.count--;
    return true;
  }
  shell.leave = undefined;
  return leave.kind === "break";
}

export function compileFor({ variable, words, body }: NodeOf<"For">, scope: Scope): Code {
  if (!isPlainName(variable)) refuse(`the variable ${variable}`);
  const fields = words && compileWords(words, scope);
  const code = scope.compile.list(body, innerScope(scope, { loops: scope.loops + 1 }));
  return async (shell) => {
    const values = fields ? await fields(shell) : shell.args;
    let status = 0;
    for (const value of values) {
      await takeRound(shell.run);
      setVariable(shell, variable, value);
      status = await code(shell);
      if (isLeft(shell)) break;
    }
    return status;
  };
}

export function compileWhile({ type, condition, body }: NodeOf<"While" | "Until">, scope: Scope): Code {
  const inner = innerScope(scope, { loops: scope.loops + 1 });
  const test = scope.compile.list(condition, inner);
  const code = scope.compile.list(body, inner);
  const isUntil = type === "Until";
  return async (shell) => {
    let status = 0;
    for (;;) {
      await takeRound(shell.run);
      const tests = await tested(test, shell);
      if (shell.leave) {
        if (isLeft(shell)) break;
        continue;
      }
      if ((tests === 0) === isUntil) break;
      status = await code(shell);
      if (isLeft(shell)) break;
    }
    return status;
  };
}

export function compileCountingFor(node: NodeOf<"CStyleFor">, scope: Scope): Code {
  const compile = (each: ArithmeticExpression | null) => each && compileArithmetic(each, scope);
  const [init, condition, update] = [node.init, node.condition, node.update].map(compile);
  const code = scope.compile.list(node.body, innerScope(scope, { loops: scope.loops + 1 }));
  return async (shell) => {
    let status = 0;
    await init?.(shell);
    while (!condition || (await condition(shell)) !== 0n) {
      await takeRound(shell.run);
      status = await code(shell);
      if (isLeft(shell)) break;
      await update?.(shell);
    }
    return status;
  };
}
