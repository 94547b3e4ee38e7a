import { problemOf } from "../problem-of.ts";
import type { CommandContext } from "../shell-command.ts";

/** One input of a command, or why it could not be read. */
export type Input =
  | { readonly name: string; readonly bytes: Uint8Array; readonly problem?: undefined }
  | { readonly name: string; readonly bytes?: undefined; readonly problem: string };

/** Contents of the operands, `-` and none at all being standard input. */
export async function readInputs(operands: readonly string[], context: CommandContext): Promise<Input[]> {
  const names = operands.length > 0 ? operands : ["-"];
  return Promise.all(names.map((name) => readInput(name, context)));
}

export async function readInput(name: string, { fs, stdin, resolve }: CommandContext): Promise<Input> {
  if (name === "-" || name === "/dev/stdin") return { name, bytes: stdin.bytes() };
  try {
    return { name, bytes: await fs.readFileBuffer(resolve(name)) };
  } catch (error) {
    return { name, problem: problemOf(error) };
  }
}
