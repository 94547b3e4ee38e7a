import { type Command, literalWord, type Pipeline, type Statement, type Word } from "../syntax-nodes.ts";
import { BUILTINS } from "./builtins.ts";
import { compileCommand } from "./compile-command.ts";
import { constantOf } from "./compile-word.ts";
import { isOverLimit, type LineEnd } from "./endings.ts";
import { checkErrors, endsAtErrors, tested } from "./errexit.ts";
import { Input } from "./input.ts";
import { refuse, type Scope, subshellScope } from "./scope.ts";
import { type Code, subshellOf } from "./shell-state.ts";
import { Buffered } from "./sinks.ts";
import { runSubshell } from "./subshell.ts";

/** Statements, one after another; what leaves a loop or a function ends them. */
export function compileList(statements: readonly Statement[], scope: Scope): Code {
  const codes = statements.map((statement) => compileStatement(statement, scope));
  const [only] = codes;
  if (codes.length === 1 && only) return only;
  return async (shell) => {
    let status = 0;
    for (const code of codes) {
      status = await code(shell);
      if (shell.leave) break;
    }
    return status;
  };
}

/** Pipelines with `&&` and `||` between them. */
function compileStatement({ pipelines, operators, background, deferredError }: Statement, scope: Scope): Code {
  if (background || deferredError) refuse("a job in the background");
  const codes = pipelines.map((pipeline) => compilePipeline(pipeline, scope));
  const ends = pipelines.map(endsAtErrors);
  const [only] = codes;
  if (codes.length === 1 && only) {
    const isChecked = ends[0] ?? false;
    return async (shell) => {
      const status = await only(shell);
      shell.status = status;
      if (isChecked) checkErrors(shell);
      return status;
    };
  }
  return async (shell) => {
    let status = 0;
    for (const [at, code] of codes.entries()) {
      const operator = at === 0 ? ";" : operators[at - 1];
      if ((operator === "&&" && status !== 0) || (operator === "||" && status === 0)) continue;
      const isLast = at === codes.length - 1;
      status = isLast ? await code(shell) : await tested(code, shell);
      shell.status = status;
      if (shell.leave) break;
      if (isLast && ends[at]) checkErrors(shell);
    }
    return status;
  };
}

function compilePipeline({ commands, negated, timed, pipeStderr = [] }: Pipeline, scope: Scope): Code {
  if (timed) refuse("time");
  const isPiped = commands.length > 1;
  const parts = commands.map((command, at) =>
    compileCommand(pipeStderr[at] ? withErrors(command) : command, isPiped ? partScope(command, at, scope) : scope),
  );
  const [first] = parts;
  const changing = commands.map((command) => mayChange(command, scope));
  const code = isPiped || !first ? pipe(parts, changing, commands.map(isHead)) : first;
  if (!negated) return code;
  return async (shell) => ((await tested(code, shell)) === 0 ? 1 : 0);
}

/** `|&` is `2>&1` behind all other redirections. */
function withErrors(command: Command): Command {
  const target = literalWord("1");
  const copy = { type: "Redirection", fd: 2, operator: ">&", target } as const;
  return { ...command, redirections: [...command.redirections, copy] };
}

function partScope(command: Command, at: number, scope: Scope): Scope {
  const inner = subshellScope(scope);
  return at === 0 ? inner : { ...inner, sharesInput: command.type !== "SimpleCommand" };
}

/** Whether it may change the shell that it runs in: a command that is none of the shell's own, all of it known, does not. */
function mayChange(command: Command, { functions }: Scope): boolean {
  if (command.type !== "SimpleCommand" || command.assignments.length > 0 || !command.name) return true;
  const name = constantOf(command.name) ?? "";
  const targets = command.redirections.flatMap(({ target }) => (target.type === "Word" ? [target] : []));
  const isKnown = targets.length === command.redirections.length && [...command.args, ...targets].every(isConstant);
  return name === "" || BUILTINS.has(name) || functions.has(name) || !isKnown;
}

const isConstant = (word: Word): boolean => constantOf(word) !== undefined;

/** Whether it wants no more than what comes first. */
function isHead(command: Command): boolean {
  return command.type === "SimpleCommand" && command.name !== null && constantOf(command.name) === "head";
}

/**
 * One after another, each in a subshell that reads what the one before has printed. For `head` that may be the beginning of
 * what would have reached a limit: another shell runs them side by side.
 */
function pipe(parts: readonly Code[], changing: readonly boolean[], heads: readonly boolean[]): Code {
  return async (shell) => {
    let { stdin } = shell;
    let [status, failed] = [0, 0];
    let ended: LineEnd | undefined;
    for (const [at, part] of parts.entries()) {
      const isLast = at === parts.length - 1;
      const printed = new Buffered();
      const stdout = isLast ? shell.stdout : printed;
      // To copy a shell takes longer than some commands do.
      const inner = changing[at] ? subshellOf(shell, { stdin, stdout }) : { ...shell, stdin, stdout };
      try {
        status = await runSubshell(inner, part);
      } catch (error) {
        if (!heads[at + 1] || !isOverLimit(error)) throw error;
        ended ??= error;
        // Else it could not even begin.
        shell.run.commands = 0;
        shell.run.rounds = 0;
      }
      if (status !== 0) failed = status;
      stdin = new Input(printed.chunks);
    }
    if (ended) throw ended;
    return shell.options.pipefail ? failed : status;
  };
}
