import { Bash, MountableFs } from "just-bash/browser";

/** A command line and what it means to bash. */
export interface ParsedLine {
  readonly text: string;
  /** Undefined when it is not valid, or not as far as it was understood. */
  readonly script: Script | undefined;
}

export type Script = ReturnType<Bash["transform"]>["ast"];

/** One that parses and runs nothing: without commands and a file system of its own it is made in no time. */
const PARSER: Bash = new Bash({ fs: new MountableFs(), commands: [], cwd: "/" });

export function parseLine(text: string): ParsedLine {
  try {
    return { text, script: PARSER.transform(text).ast };
  } catch {
    return { text, script: undefined };
  }
}
