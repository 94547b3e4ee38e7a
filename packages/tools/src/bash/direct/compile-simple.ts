import { MAX_CALL_DEPTH } from "../limits.ts";
import type { CommandContext, CommandOutput, ShellCommand } from "../shell-command.ts";
import type { SimpleCommand, Word } from "../syntax-nodes.ts";
import { runCommand } from "../to-bash-command.ts";
import { BUILTINS, type Builtin } from "./builtins.ts";
import { compileFields, compileText, compileWords, constantOf, fieldOf, globbed, type Words } from "./compile-word.ts";
import { DIRECT_COMMANDS } from "./direct-commands.ts";
import { overLimit } from "./endings.ts";
import type { Assignment, Redirection } from "./nodes.ts";
import { compileRedirections } from "./redirect.ts";
import { refuse, type Scope, type Text } from "./scope.ts";
import { type Code, type Shell, subshellOf } from "./shell-state.ts";
import { flushAll } from "./sinks.ts";
import { runSubshell } from "./subshell.ts";
import { takeTurn } from "./turns.ts";
import { isPlainName, setVariable } from "./variables.ts";

/** Runs what a name stands for, with the arguments that were expanded. */
type Call = (shell: Shell, args: readonly string[]) => number | Promise<number>;

/** Commands that look at what was exported, of which nothing is known here. */
const READS_EXPORTED: ReadonlySet<string> = new Set(["awk", "env", "envsubst", "git", "printenv"]);

interface Callee {
  readonly call: Call;
  /** A printer does nothing but to print. */
  readonly kind: "printer" | "builtin" | "function" | "process";
  readonly assigns: boolean;
}

/** A command with its arguments, assignments and redirections. */
export function compileSimple(command: SimpleCommand, scope: Scope): Code {
  const assign = compileAssignments(command.assignments, scope);
  const redirected = compileRedirections(command.redirections, scope);
  if (!command.name) {
    // bash forgets the code of a substitution in them then.
    if (assign && command.redirections.some(({ operator }) => operator.startsWith("<"))) refuse("an input of nothing");
    return async (shell) => {
      await takeTurn(shell.run);
      shell.substituted = 0;
      // Before it is redirected, as in bash.
      await assign?.set(shell);
      const { substituted } = shell;
      return redirected(shell, false, async () => substituted);
    };
  }
  const name = nameOf(command.name);
  const { call, kind, assigns } = calleeOf(name, command.args, scope);
  if (assign && kind === "process" && READS_EXPORTED.has(name)) refuse(`variables for one ${name}`);
  const args = compileArguments(command.args, assigns, scope);
  // What expands in redirections of a process of its own is forgotten with it.
  const isApart = kind === "process" && command.redirections.some(({ target }) => !isConstant(target));
  const run = (shell: Shell, inner: Code): number | Promise<number> => {
    if (command.redirections.length === 0) return inner(shell);
    const inside = (each: Shell): Promise<number> => redirected(each, kind === "printer", inner);
    return isApart ? runSubshell(subshellOf(shell), inside) : inside(shell);
  };
  return async (shell) => {
    await takeTurn(shell.run);
    const words = await args(shell);
    if (!assign) return run(shell, async (inner) => call(inner, words));
    const values = await assign.values(shell);
    return run(shell, (inner) => withValues(inner, values, () => call(inner, words)));
  };
}

function isConstant(target: Redirection["target"]): boolean {
  return target.type === "Word" ? constantOf(target) !== undefined : constantOf(target.content) !== undefined;
}

/** `[` looks like a pattern. */
function nameOf(word: Word): string {
  const [part] = word.parts;
  if (word.parts.length === 1 && part?.type === "Glob" && part.pattern === "[") return "[";
  return constantOf(word) ?? refuse("a name that is not known before");
}

function compileArguments(words: readonly Word[], assigns: boolean, scope: Scope): Words {
  if (!assigns) return compileWords(words, scope);
  return globbed(
    words.map((word) => (isAssignment(word) ? fieldOf(compileText(word, scope)) : compileFields(word, scope))),
  );
}

function isAssignment({ parts: [first] }: Word): boolean {
  return first?.type === "Literal" && /^[A-Za-z_]\w*=/.test(first.value);
}

/** What is known of a word before it is expanded; of an assignment, its name. */
function knownOf(word: Word, assigns: boolean): string | undefined {
  const [first] = word.parts;
  if (assigns && isAssignment(word) && first?.type === "Literal") return first.value;
  return constantOf(word);
}

function calleeOf(name: string, args: readonly Word[], scope: Scope): Callee {
  const builtin = BUILTINS.get(name);
  if (scope.functions.has(name)) {
    // Before it is defined, the name would stand for the command.
    if (builtin || scope.commands.some((command) => command.name === name)) refuse(`a function ${name}`);
    return { call: (shell, words) => callFunction(name, shell, words), kind: "function", assigns: false };
  }
  const known = args.map((arg) => knownOf(arg, builtin?.assigns ?? false));
  if (builtin) return builtinCallee(builtin, known, name, scope);
  const command = commandOf(name, known, scope.commands);
  return { call: (shell, words) => callCommand(command, shell, words), kind: "process", assigns: false };
}

function builtinCallee(builtin: Builtin, known: readonly (string | undefined)[], name: string, scope: Scope): Callee {
  if (!builtin.takes(known, scope)) refuse(`${name} ${known.map((word) => word ?? "$").join(" ")}`);
  const { run, isPlain = false, assigns = false } = builtin;
  return { call: run, kind: isPlain ? "printer" : "builtin", assigns };
}

function commandOf(name: string, known: readonly (string | undefined)[], own: readonly ShellCommand[]): ShellCommand {
  const isKnown = !known.includes(undefined);
  // Which calls a command takes depends on its words: they have to be there.
  const isTaken = (command: ShellCommand): boolean =>
    command.name === name && (!command.takes || (isKnown && command.takes(known)));
  return (
    DIRECT_COMMANDS.find(isTaken) ??
    own.find((command) => isTaken(command) && !command.callsOriginal && !command.callsOthers) ??
    refuse(`${name} ${known.map((word) => word ?? "$").join(" ")}`)
  );
}

async function callCommand(command: ShellCommand, shell: Shell, args: readonly string[]): Promise<number> {
  const { run } = shell;
  await flushAll(run);
  run.changes++;
  const {
    stdout = "",
    stderr = "",
    exitCode = 0,
  } = await runCommand(command, args, contextOf(command, shell), run.host);
  shell.stdout.write(stdout);
  shell.stderr.write(stderr);
  return exitCode;
}

function contextOf({ name }: ShellCommand, { run, cwd, env, stdin }: Shell): CommandContext {
  const { fs, signal, host } = run;
  const notHere = async (): Promise<CommandOutput> => ({ stderr: `bash: ${name}: command not found\n`, exitCode: 127 });
  return {
    fs,
    cwd,
    env,
    exported: {},
    stdin: stdin.rest(),
    signal,
    resolve: (path) => fs.resolvePath(cwd, path),
    elsewhere: () => host.onElsewhere(name),
    original: notHere,
    exec: notHere,
  };
}

async function callFunction(name: string, shell: Shell, words: readonly string[]): Promise<number> {
  const code = shell.functions.get(name);
  if (!code) {
    shell.stderr.write(`bash: ${name}: command not found\n`);
    return 127;
  }
  if (shell.hidden.length >= MAX_CALL_DEPTH)
    throw overLimit(`${name}: maximum recursion depth (${MAX_CALL_DEPTH}) exceeded`);
  const { args } = shell;
  const hidden = new Map<string, string | undefined>();
  shell.hidden.push(hidden);
  shell.args = words;
  try {
    const status = await code(shell);
    const { leave } = shell;
    shell.leave = undefined;
    return leave?.kind === "return" ? leave.count : status;
  } finally {
    shell.args = args;
    shell.hidden.pop();
    restore(shell, hidden);
  }
}

/** Sets variables, some of them to nothing. */
function restore({ env }: Shell, values: Values): void {
  for (const [name, value] of values) {
    if (value === undefined) env.delete(name);
    else env.set(name, value);
  }
}

type Values = ReadonlyMap<string, string | undefined>;

interface Assignments {
  /** Sets the variables. */
  readonly set: (shell: Shell) => Promise<void>;
  /** What they would be set to: each sees those before it, and nothing stays. */
  readonly values: (shell: Shell) => Promise<Values>;
}

function compileAssignments(assignments: readonly Assignment[], scope: Scope): Assignments | undefined {
  if (assignments.length === 0) return undefined;
  const all = assignments.map(({ name, value, append, array }) => {
    if (array || !isPlainName(name)) return refuse(`the variable ${name}`);
    const text: Text = value ? compileText(value, scope) : async () => "";
    return { name, text, append };
  });
  const set = async (shell: Shell): Promise<void> => {
    for (const { name, text, append } of all) {
      const value = await text(shell);
      setVariable(shell, name, append ? (shell.env.get(name) ?? "") + value : value);
    }
  };
  const valuesOf = ({ env }: Shell): Values => new Map(all.map(({ name }) => [name, env.get(name)]));
  const values = async (shell: Shell): Promise<Values> => {
    const before = valuesOf(shell);
    try {
      await set(shell);
      return valuesOf(shell);
    } finally {
      restore(shell, before);
    }
  };
  return { set, values };
}

/** Calls something with variables that are set for it alone. */
async function withValues(shell: Shell, values: Values, call: () => number | Promise<number>): Promise<number> {
  const before: Values = new Map(Array.from(values.keys(), (name) => [name, shell.env.get(name)]));
  restore(shell, values);
  try {
    return await call();
  } finally {
    restore(shell, before);
  }
}
