import type { Script } from "../parse-line.ts";
import type { ShellCommand } from "../shell-command.ts";
import type { Statement, Word } from "../syntax-nodes.ts";
import type { ParameterPart } from "./nodes.ts";
import type { Code, Shell } from "./shell-state.ts";

/** What something expands to. */
export type Text = (shell: Shell) => Promise<string>;

/** What is compiled by files that need those which call it: words contain scripts, and scripts words. */
export interface Compilers {
  readonly list: (statements: readonly Statement[], scope: Scope) => Code;
  readonly substitution: (script: Script, scope: Scope) => Text;
  readonly text: (word: Word, scope: Scope) => Text;
  readonly parameter: (part: ParameterPart, isQuoted: boolean, scope: Scope) => Text;
}

/** Where in a script something is compiled. */
export interface Scope {
  readonly commands: readonly ShellCommand[];
  /** Names of just-bash's own commands. */
  readonly bundled: ReadonlySet<string>;
  /** Those that are called; undefined among them stands for all. */
  readonly called: Set<string | undefined>;
  /** Names of all functions of the script. */
  readonly functions: ReadonlySet<string>;
  /** Loops around it, in the same shell and function. */
  readonly loops: number;
  readonly isInFunction: boolean;
  /** Several commands read the same input, one after another: each must leave what it does not read. */
  readonly sharesInput: boolean;
  readonly depth: number;
  readonly compile: Compilers;
}

/** Something in a line is left to just-bash. */
export class Refusal extends Error {}

export function refuse(what: string): never {
  throw new Refusal(what);
}

/** Deeper nesting is left to just-bash, which has words for it. */
const MAX_DEPTH = 40;

export function innerScope(scope: Scope, changes: Partial<Scope> = {}): Scope {
  if (scope.depth >= MAX_DEPTH) refuse("nesting");
  return { ...scope, depth: scope.depth + 1, ...changes };
}

/** Of a subshell, which no `break`, `continue` and `return` leaves. */
export function subshellScope(scope: Scope): Scope {
  return innerScope(scope, { loops: 0, isInFunction: false });
}
