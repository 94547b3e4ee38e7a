import { readInputs } from "../commands/read-inputs.ts";
import type { ShellCommand } from "../shell-command.ts";

/** A command, and which of its calls are plain enough to be made without the shell: all others are just-bash's. */
type Direct = ShellCommand & Required<Pick<ShellCommand, "takes">>;

const hasNoOptions = (args: readonly (string | undefined)[]): boolean =>
  args.every((arg) => arg === "-" || !arg?.startsWith("-"));

/** With a number of lines that is not 0, of one input: `-5`, `-n5` or `-n 5`. */
function tailCall(args: readonly (string | undefined)[]): { lines: number; files: readonly string[] } | undefined {
  const [first = "", second = ""] = args;
  const apart = first === "-n" && /^[1-9]\d{0,8}$/.test(second);
  const number = apart ? second : /^-n?([1-9]\d{0,8})$/.exec(first)?.[1];
  const files = args.slice(number === undefined ? 0 : apart ? 2 : 1);
  // A device may never end.
  if (files.length > 1 || !hasNoOptions(files) || /^\/dev\/(?!null$)/.test(files[0] ?? "")) return undefined;
  return { lines: Number(number ?? 10), files: files.map((file) => file ?? "") };
}

const tail: Direct = {
  name: "tail",
  takes: (args) => tailCall(args) !== undefined,
  async run(args, context) {
    const { lines = 0, files = [] } = tailCall(args) ?? {};
    const [input] = await readInputs(files, context);
    if (input?.bytes !== undefined) return { stdout: lastLines(input.bytes, lines) };
    const { problem } = input ?? {};
    const what =
      problem === "Is a directory" ? `error reading '${input?.name}'` : `cannot open '${input?.name}' for reading`;
    return { stderr: `tail: ${what}: ${problem}\n`, exitCode: 1 };
  },
};

function lastLines(bytes: Uint8Array, lines: number): Uint8Array {
  // What the last line ends with separates it from nothing.
  let start = bytes.length - 1;
  for (let line = 0; line < lines; line++) {
    start = start > 0 ? bytes.lastIndexOf(10, start - 1) : -1;
    if (start === -1) return bytes;
  }
  return bytes.subarray(start + 1);
}

export const DIRECT_COMMANDS: readonly Direct[] = [tail];
