import type { Shell } from "./shell-state.ts";

/** As of a shell that was stopped, or that reached a limit. */
export const STOPPED = 124;
const OVER_LIMIT = 126;

/** Ends all of the line: a limit was reached, or it was stopped. */
export class LineEnd extends Error {
  readonly code: number;
  /** What is told on stderr. */
  readonly text: string;

  constructor(code: number, text = "") {
    super(text);
    this.code = code;
    this.text = text;
  }
}

/** The same words as those of just-bash, and what to do. */
export function overLimit(what: string): LineEnd {
  return new LineEnd(OVER_LIMIT, `bash: ${what}; do less in one command\n`);
}

export function isOverLimit(error: unknown): error is LineEnd {
  return error instanceof LineEnd && error.code === OVER_LIMIT;
}

/** Ends a shell, or a subshell. */
export class ShellEnd extends Error {
  readonly code: number;
  /** The code that a subshell ends with. */
  readonly subshellCode: number;

  constructor(code: number, subshellCode: number = code) {
    super();
    this.code = code;
    this.subshellCode = subshellCode;
  }
}

/** Ends what was typed in one line; a subshell is ended by it. */
export class LineDiscarded extends Error {}

/** Something cannot be expanded: the rest of the line is not run. */
export function discardLine(shell: Shell, problem: string): LineDiscarded {
  shell.stderr.write(`bash: ${problem}\n`);
  return new LineDiscarded();
}

/** Something has no value, and must have one: the shell ends, with codes that are bash's. */
export function endUnset(shell: Shell, problem: string): ShellEnd {
  shell.stderr.write(`bash: ${problem}\n`);
  return new ShellEnd(shell.options.errexit ? 1 : 127, 1);
}

/** The code that a subshell ends with, of what it threw. Throws what ends more than it. */
export function subshellCode(error: unknown): number {
  if (error instanceof ShellEnd) return error.subshellCode;
  if (error instanceof LineDiscarded) return 1;
  throw error;
}
