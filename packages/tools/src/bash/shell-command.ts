import type { IFileSystem } from "just-bash/browser";
import type { CommandWords } from "./commands-in.ts";

/**
 * A command of the shell that just-bash does not have, or one that stands in for its own. What it needs of the outside, it
 * closes over: `createXxxCommand(ports)`. List it in `shell-commands.ts`.
 */
export interface ShellCommand {
  readonly name: string;
  /**
   * Whether it can run with these arguments; what it cannot needs an executor, as a heavy command does. A word that is only
   * known while running is undefined. Default: it can.
   */
  readonly takes?: (args: CommandWords) => boolean;
  /** Whether it may call `original`. just-bash prepares twice as much for each run of a command that has one. */
  readonly callsOriginal?: boolean;
  /** Whether it may call `exec`. */
  readonly callsOthers?: boolean;
  /** Whether a call with these words does neither. One of which it is not known is undefined. Default: none is such a call. */
  readonly isAlone?: (args: CommandWords) => boolean;
  /**
   * Reports a failure as a command does, on stderr and by its exit code. What it throws becomes the code 1, with the
   * message on stderr, except for `approval-required` and an abort, which end the whole call.
   */
  run(args: readonly string[], context: CommandContext): Promise<CommandOutput>;
}

export interface CommandContext {
  /** Files as the shell sees them: the tree is at `/workspace`, anything else in memory until the call ends. */
  readonly fs: IFileSystem;
  /** An absolute path of the shell. */
  readonly cwd: string;
  readonly env: ReadonlyMap<string, string>;
  /** Those of the variables that a command hands on to others; `exec` does by itself. */
  readonly exported: Readonly<Record<string, string>>;
  /** Read it only when the command reads its standard input: there is no telling an absent one from an empty one. */
  readonly stdin: CommandInput;
  /** Aborted at the end of the call's time too. */
  readonly signal: AbortSignal;
  /** `path` against the working directory. */
  readonly resolve: (path: string) => string;
  /** Leaves it to an executor: all of the line starts anew there if nothing was done yet. This is the answer if it cannot. */
  readonly elsewhere: () => CommandOutput;
  /** Runs the command that this one stands in for, with the same input; 127 when there is none, or without `callsOriginal`. */
  readonly original: (args: readonly string[]) => Promise<CommandOutput>;
  /** Runs another command with exactly these arguments, as `xargs` does; 127 without `callsOthers`. */
  readonly exec: (words: readonly string[], stdin?: Uint8Array) => Promise<CommandOutput>;
}

export interface CommandInput {
  /** Decoded as UTF-8; what is not valid in it is replaced. */
  text(): string;
  bytes(): Uint8Array;
}

export interface CommandOutput {
  /** Default: nothing. */
  readonly stdout?: string | Uint8Array;
  /** Default: nothing. */
  readonly stderr?: string;
  /** Default: 0. */
  readonly exitCode?: number;
}
