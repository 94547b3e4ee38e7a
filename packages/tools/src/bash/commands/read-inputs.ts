import { errorJson } from "@tenrec/protocol";
import type { CommandContext } from "../shell-command.ts";

/** One input of a command, or why it could not be read. */
export type Input =
  | { readonly name: string; readonly bytes: Uint8Array; readonly problem?: undefined }
  | { readonly name: string; readonly bytes?: undefined; readonly problem: string };

/** Contents of the operands, `-` and none at all being standard input, of which nothing is left for a second `-`. */
export async function readInputs(operands: readonly string[], context: CommandContext): Promise<Input[]> {
  const names = operands.length > 0 ? operands : ["-"];
  const first = names.findIndex(isStdin);
  const read = async (name: string, at: number): Promise<Input> =>
    isStdin(name) && at > first ? { name, bytes: new Uint8Array() } : readInput(name, context);
  return Promise.all(names.map(read));
}

function isStdin(name: string): boolean {
  return name === "-" || name === "/dev/stdin";
}

export async function readInput(name: string, { fs, stdin, resolve }: CommandContext): Promise<Input> {
  if (isStdin(name)) return { name, bytes: stdin.bytes() };
  try {
    return { name, bytes: await fs.readFileBuffer(resolve(name)) };
  } catch (error) {
    return { name, problem: problemOf(error) };
  }
}

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "No such file or directory",
  EISDIR: "Is a directory",
  ENOTDIR: "Not a directory",
  EEXIST: "File exists",
  ENOTEMPTY: "Directory not empty",
  ELOOP: "Too many levels of symbolic links",
  EACCES: "Permission denied",
  EINVAL: "Invalid argument",
};

/** An error of the file system in the words of the system. */
export function problemOf(error: unknown): string {
  const { code, message } = errorJson(error);
  // A file system of just-bash begins its messages with the code and has no other place for it.
  const given = error instanceof Error ? error.message : message;
  const name = PROBLEMS[code] === undefined ? /^[A-Z]+(?=:)/.exec(given)?.[0] : code;
  return PROBLEMS[name ?? ""] ?? message;
}
