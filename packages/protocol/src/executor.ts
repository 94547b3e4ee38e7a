import type { FileSystem } from "./file-system.ts";

export interface ExecOptions {
  /** The tree to work on. What the command changes is written back to it before `exit` is yielded. */
  readonly fs: FileSystem;
  /** A tree path; default the root. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: Uint8Array;
  /** Milliseconds; the command is then ended and `timeout` thrown. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** Identifies the run for `attach`. The same id is never started twice. */
  readonly operationId: string;
}

export type ExecEvent =
  | { readonly type: "stdout"; readonly bytes: Uint8Array }
  | { readonly type: "stderr"; readonly bytes: Uint8Array }
  | { readonly type: "exit"; readonly code: number };

/**
 * A place where commands run that the isolate's own `bash` cannot run. Absent optional methods are missing capabilities.
 */
export interface Executor {
  readonly name: string;
  /** Whether it could run this command line, without running it: cheap and pure. */
  accepts(command: string): boolean;
  /**
   * Runs a command line as `sh -c` would; yields output as it comes, then exactly one `exit`, also for a failing command.
   * Throws `timeout`, or `signal.reason` on abort; the command is ended in both cases.
   */
  exec(command: string, options: ExecOptions): AsyncIterable<ExecEvent>;
  /** Goes on with a run that outlived its caller: all output from the start, then `exit`. */
  attach?(operationId: string): AsyncIterable<ExecEvent>;
  /** A connection to a port that a command listens on. */
  connect?(port: number, request: Request): Promise<Response>;
  /** Frees what is held. Safe to call twice. */
  stop?(): Promise<void>;
}
