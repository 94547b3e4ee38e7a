import { problemOf } from "../problem-of.ts";
import type { CommandContext } from "../shell-command.ts";

/** One input of a command, or why it could not be read. */
export type Input =
  | { readonly name: string; readonly bytes: Uint8Array; readonly problem?: undefined }
  | { readonly name: string; readonly bytes?: undefined; readonly problem: string };

/** Contents of the operands, `-` and none at all being standard input, of which nothing is left for a second `-`. */
export async function readInputs(operands: readonly string[], context: CommandContext): Promise<Input[]> {
  const names = operands.length > 0 ? operands : ["-"];
  const inputs: Input[] = [];
  let size = 0;
  // One after another: together they may be more than there is room for.
  for (const [at, name] of names.entries()) {
    const isLeft = !isStdin(name) || names.findIndex(isStdin) === at;
    const input = size > MAX_BYTES ? tooMuch(name) : isLeft ? await readInput(name, context) : empty(name);
    inputs.push(input);
    size += input.bytes?.length ?? 0;
  }
  return inputs;
}

/** What a command holds of its inputs at a time, the last one not counted. */
const MAX_BYTES = 16 * 1024 * 1024;

function tooMuch(name: string): Input {
  return { name, problem: `the files before it have more than ${MAX_BYTES / 1024 ** 2} MiB; take fewer at once` };
}

function empty(name: string): Input {
  return { name, bytes: new Uint8Array() };
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
