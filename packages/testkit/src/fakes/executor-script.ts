/** What a scripted executor can run, as plain JSON. */
export interface ExecutorScript {
  readonly name: string;
  /** The first one that matches a command line is played. */
  readonly commands: readonly CommandScript[];
}

export interface CommandScript {
  /** The whole command line, or how it starts. */
  readonly when: string | { readonly startsWith: string };
  readonly does: readonly CommandPart[];
  /** Default 0. */
  readonly exit?: number;
}

/** Paths are taken from the working directory. */
export type CommandPart =
  | { readonly stdout: string }
  | { readonly stderr: string }
  /** Milliseconds. */
  | { readonly delay: number }
  | { readonly write: string; readonly content: string }
  | { readonly append: string; readonly content: string }
  | { readonly remove: string }
  /** Writes the file's content to stdout. */
  | { readonly read: string }
  /** Writes the variable's value to stdout. */
  | { readonly env: string }
  /** Writes the standard input to stdout. */
  | { readonly stdin: true }
  /** The executor itself breaks, as when its machine is lost. */
  | { readonly crash: string };
