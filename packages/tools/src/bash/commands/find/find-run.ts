import type { FsStat } from "just-bash/browser";
import { joinBytes } from "../../../web/read-body.ts";
import type { CommandContext, CommandOutput } from "../../shell-command.ts";

export type Kind = "file" | "directory" | "symlink";

/** What `find` looks at. */
export interface Entry {
  /** As it is shown. */
  readonly path: string;
  readonly name: string;
  /** The operand that it is below. */
  readonly start: string;
  readonly depth: number;
  readonly absolute: string;
  readonly kind: Kind;
  /** Of the file, or of what a link leads to with `-L`; found when it is first asked for. */
  stat(): Promise<FsStat>;
}

/** Whether an entry has a property, or whether an action on it succeeded. A promise only where something has to be looked up. */
export type Test = (entry: Entry, run: FindRun) => boolean | Promise<boolean>;

/** One run of `find`: what it printed so far, and what tests tell the walk. */
export class FindRun {
  readonly context: CommandContext;
  /** Seconds. */
  readonly now: number;
  exitCode = 0;
  isPruned = false;
  hasQuit = false;
  readonly #printed: (string | Uint8Array)[] = [];
  #stderr = "";

  constructor(context: CommandContext, now: number) {
    this.context = context;
    this.now = now;
  }

  print(text: string): void {
    this.#printed.push(text);
  }

  fail(text: string): void {
    this.#stderr += `find: ${text}\n`;
    this.exitCode = 1;
  }

  /** Takes over what a command printed; gives whether it succeeded. */
  take({ stdout = "", stderr = "", exitCode = 0 }: CommandOutput): boolean {
    if (stdout.length > 0) this.#printed.push(stdout);
    this.#stderr += stderr;
    return exitCode === 0;
  }

  get output(): CommandOutput {
    const encoder = new TextEncoder();
    const isText = this.#printed.every((part) => typeof part === "string");
    const stdout = isText
      ? this.#printed.join("")
      : joinBytes(this.#printed.map((part) => (typeof part === "string" ? encoder.encode(part) : part)));
    return { stdout, stderr: this.#stderr, exitCode: this.exitCode };
  }
}
