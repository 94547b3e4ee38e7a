import { readInput, readInputs } from "../commands/read-inputs.ts";
import { MAX_OUTPUT_BYTES } from "../limits.ts";
import type { CommandContext, CommandOutput, ShellCommand } from "../shell-command.ts";
import { lineStart } from "./line-start.ts";
import { chunkBytes } from "./output-text.ts";
import { plainPrintf } from "./plain-printf.ts";
import { plainSed } from "./plain-sed.ts";
import { plainTr } from "./plain-tr.ts";

/** A command, and which of its calls are plain enough to be made without the shell: all others are just-bash's. */
type Direct = ShellCommand & Required<Pick<ShellCommand, "takes">>;

const hasNoOptions = (args: readonly (string | undefined)[]): boolean =>
  args.every((arg) => arg === "-" || !arg?.startsWith("-"));

const cat: Direct = {
  name: "cat",
  takes: hasNoOptions,
  async run(args, context) {
    const names = args.length > 0 ? args : ["-"];
    const contents: Uint8Array[] = [];
    let size = 0;
    let stderr = "";
    for (const [at, name] of names.entries()) {
      // The first one took all of it.
      if (name === "-" && names.indexOf("-") < at) continue;
      const { bytes, problem } = await readInput(name, context);
      if (bytes) contents.push(bytes);
      else stderr += `cat: ${name}: ${problem}\n`;
      size += bytes?.length ?? 0;
      // What is more is not printed, only held in memory.
      if (size > MAX_OUTPUT_BYTES) break;
    }
    return { stdout: chunkBytes(contents), stderr, exitCode: stderr ? 1 : 0 };
  },
};

/** `head` and `tail` of one input, with a number of lines that is not 0: `-5`, `-n5` or `-n 5`. */
function part(name: string, cut: (bytes: Uint8Array, lines: number) => Uint8Array): Direct {
  const read = (args: readonly (string | undefined)[]): { lines: number; files: readonly string[] } | undefined => {
    const [first = "", second = ""] = args;
    const apart = first === "-n" && /^[1-9]\d{0,8}$/.test(second);
    const number = apart ? second : /^-n?([1-9]\d{0,8})$/.exec(first)?.[1];
    const files = args.slice(number === undefined ? 0 : apart ? 2 : 1);
    if (files.length > 1 || !hasNoOptions(files)) return undefined;
    return { lines: Number(number ?? 10), files: files.map((file) => file ?? "") };
  };
  return {
    name,
    takes: (args) => read(args) !== undefined,
    async run(args, context) {
      const { lines = 0, files = [] } = read(args) ?? {};
      const [input] = await readInputs(files, context);
      if (input?.bytes !== undefined) return { stdout: cut(input.bytes, lines) };
      const { problem } = input ?? {};
      const what =
        problem === "Is a directory" ? `error reading '${input?.name}'` : `cannot open '${input?.name}' for reading`;
      return { stderr: `${name}: ${what}: ${problem}\n`, exitCode: 1 };
    },
  };
}

const head: Direct = part("head", (bytes, lines) => bytes.subarray(0, lineStart(bytes, lines + 1)));

const tail: Direct = part("tail", (bytes, lines) => {
  // What the last line ends with separates it from nothing.
  let start = bytes.length - 1;
  for (let line = 0; line < lines; line++) {
    start = start > 0 ? bytes.lastIndexOf(10, start - 1) : -1;
    if (start === -1) return bytes;
  }
  return bytes.subarray(start + 1);
});

const echo: Direct = {
  name: "echo",
  takes: ([first]) => first === undefined || !/^-[neE]+$/.test(first),
  run: async (args) => ({ stdout: `${args.join(" ")}\n` }),
};

const pwd: Direct = {
  name: "pwd",
  takes: (args) => args.length === 0,
  run: async (_args, { cwd }: CommandContext): Promise<CommandOutput> => ({ stdout: `${cwd}\n` }),
};

/** Of the shell itself, which has the working directory. */
const cd: Direct = {
  name: "cd",
  takes: ([folder = "", ...more]) => more.length === 0 && folder !== "" && !/^[-~]/.test(folder),
  run: async () => ({}),
};

const succeed: Direct = { name: "true", takes: () => true, run: async () => ({}) };

export const DIRECT_COMMANDS: readonly Direct[] = [
  cat,
  head,
  tail,
  echo,
  pwd,
  cd,
  succeed,
  plainPrintf,
  plainSed,
  plainTr,
];
