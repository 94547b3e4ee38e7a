import type { IFileSystem } from "just-bash/browser";
import type { CommandHost } from "../to-bash-command.ts";
import type { Processes } from "./processes.ts";
import type { Input } from "./input.ts";
import type { FileSink, Sink } from "./sinks.ts";

/** A part of a script, compiled: what it gives is the exit code. */
export type Code = (shell: Shell) => Promise<number>;

/** What all subshells of a line have in common. */
export interface Run {
  readonly fs: IFileSystem;
  /** Nothing begins any more after it is aborted. */
  readonly signal: AbortSignal;
  readonly processes: Processes;
  readonly host: CommandHost;
  /** How many commands were begun. */
  commands: number;
  /** Of all loops together. */
  rounds: number;
  /** Files that hold less than what was written to them. */
  readonly unwritten: Set<FileSink>;
  /** Changes whenever something may have changed files. */
  changes: number;
}

/** What a loop or a function is left by. */
export interface Leave {
  readonly kind: "break" | "continue" | "return";
  /** Loops that are left, or the code that is returned. */
  count: number;
}

interface Options {
  errexit: boolean;
  nounset: boolean;
  pipefail: boolean;
}

/** A shell or a subshell. */
export interface Shell {
  readonly run: Run;
  readonly env: Map<string, string>;
  /** Names of the variables that commands are given. */
  readonly exported: Set<string>;
  readonly functions: Map<string, Code>;
  readonly options: Options;
  /** What is in `$1` and on. */
  args: readonly string[];
  cwd: string;
  /** What is in `$?`. */
  status: number;
  stdin: Input;
  stdout: Sink;
  stderr: Sink;
  leave: Leave | undefined;
  /** What `local` hides, for each function that runs. */
  readonly hidden: Map<string, string | undefined>[];
  /** In how many conditions it is: there, `set -e` ends nothing. */
  tested: number;
  /** How deep in command substitutions it is. */
  readonly depth: number;
  /** The code of the last command substitution, which is that of a command without words. */
  substituted: number;
}

/** One that changes nothing of the first. */
export function subshellOf(shell: Shell, changes: Partial<Shell> = {}): Shell {
  return {
    ...shell,
    env: new Map(shell.env),
    exported: new Set(shell.exported),
    functions: new Map(shell.functions),
    options: { ...shell.options },
    hidden: shell.hidden.map((names) => new Map(names)),
    leave: undefined,
    ...changes,
  };
}
