import type { Bash, BashOptions, Command } from "just-bash/browser";
import { defineCommand } from "just-bash/browser";
import { fromLatin1, latin1 } from "../encoding.ts";
import type { ShellCommand } from "../shell-command.ts";
import { quoteWord } from "../to-bash-command.ts";

/** Makes a command of just-bash one that runs by itself, with its arguments and what was exported. */
export type Processes = (name: string) => ShellCommand;

/** Takes what a process printed; no script knows it. */
const TAKE = "__take_output";

interface ExecInput {
  readonly cwd: string;
  readonly stdin?: string;
  readonly stdinKind?: "bytes";
}

/**
 * Commands of just-bash, in one shell of it that is made with the first of them: by `create`, with a command for it. `known`
 * are the variables that it begins with, and `exec` runs a script there.
 */
export function createProcesses(
  create: (command: Command) => Bash,
  known: NonNullable<BashOptions["env"]>,
  exec: (bash: Bash, script: string, input: ExecInput) => ReturnType<Bash["exec"]>,
): Processes {
  let shell: Bash | undefined;
  // One process runs at a time.
  let taken = new Uint8Array();
  const take = defineCommand(TAKE, async (_args, { stdin }) => {
    taken = Uint8Array.from(fromLatin1(stdin as unknown as string));
    return { stdout: "", stderr: "", exitCode: 0 };
  });
  return (name) => ({
    name,
    async run(args, { cwd, exported, stdin }) {
      shell ??= create(take);
      const settings = Object.entries(exported).filter(([variable, value]) => known[variable] !== value);
      const exports = settings.map(([variable, value]) => `export ${variable}=${quoteWord(value)}\n`).join("");
      const words = [name, ...args].map(quoteWord).join(" ");
      if (readsNothing(name) && !runsOthers(name, args)) return exec(shell, exports + words, { cwd });
      const bytes = readsNothing(name) ? new Uint8Array() : stdin.bytes();
      const input = bytes.length > 0 ? { stdin: latin1(bytes), stdinKind: "bytes" as const } : {};
      taken = new Uint8Array();
      // What a shell gives at its end does not tell bytes from text; what is in a pipe are bytes.
      const script = `${exports}set -o pipefail\n${words} | ${TAKE}`;
      const { stderr, exitCode } = await exec(shell, script, { cwd, ...input });
      return { stdout: taken, stderr, exitCode };
    },
  });
}

/** Of just-bash itself, or about the shell that it runs in. */
const SHELL = /^(alias|unalias|history|time|help|clear|__run_file|type|command|exec|eval|source)$/;

const WITHOUT_INPUT = new Set(
  (
    "mkdir rmdir touch rm chmod cp mv readlink basename dirname tree du printenv date sleep expr find which hostname " +
    "whoami printf"
  ).split(" "),
);

/** Commands of which the input is not touched. What they print is text, unless they run others. */
export function readsNothing(name: string): boolean {
  return WITHOUT_INPUT.has(name);
}

/** Whether a command of just-bash, or one of ours that calls it, can run by itself. */
export function isProcess(name: string, bundled: ReadonlySet<string>, own: readonly ShellCommand[]): boolean {
  if (SHELL.test(name)) return false;
  const ours = own.find((command) => command.name === name);
  return ours ? (ours.callsOriginal ?? ours.callsOthers ?? false) : bundled.has(name);
}

/** Those that do so in all of their calls. */
const RUNNERS = /^(xargs|env|timeout|nohup|nice|setsid|stdbuf|npm|bash|sh|less|more|which)$/;

/** Whether it may run other commands, of which each may be asked for then. */
export function runsOthers(name: string, args: readonly (string | undefined)[]): boolean {
  if (RUNNERS.test(name)) return true;
  if (/^(g|m|n)?awk$/.test(name)) return args.some((arg) => arg === undefined || /system|getline|\|/.test(arg));
  return name === "find";
}
