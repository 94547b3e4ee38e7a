import type { Command, ExecResult } from "just-bash/browser";
import { defineCommand } from "just-bash/browser";
import { decodeBytes, encodeContent } from "./encoding.ts";
import type { CommandContext, CommandInput, CommandOutput, ShellCommand } from "./shell-command.ts";

type BashContext = Parameters<Parameters<typeof defineCommand>[1]>[1];

/** What a command tells the shell that runs it. */
export interface CommandHost {
  /** Says what the shell sees of an error. */
  onThrow(error: unknown, name: string): CommandOutput;
  /** The command needs an executor. */
  onElsewhere(name: string): CommandOutput;
  /** The command began; the promise settles at its end. */
  onRun?(running: Promise<unknown>): void;
}

/** A command as just-bash takes it. */
export function toBashCommand(command: ShellCommand, signal: AbortSignal, host: CommandHost): Command {
  return defineCommand(command.name, async (args, bash) =>
    toResult(await runCommand(command, args, contextOf(command, bash, signal, host), host)),
  );
}

/** Runs a command, unless the signal of its context is aborted. Never rejects. */
export async function runCommand(
  command: ShellCommand,
  args: readonly string[],
  context: CommandContext,
  host: CommandHost,
): Promise<CommandOutput> {
  try {
    context.signal.throwIfAborted();
    const running = command.run(args, context);
    host.onRun?.(running);
    return await running;
  } catch (error) {
    return host.onThrow(error, command.name);
  }
}

function contextOf(command: ShellCommand, bash: BashContext, signal: AbortSignal, host: CommandHost): CommandContext {
  const { name, callsOriginal, callsOthers } = command;
  const { fs, cwd, env } = bash;
  return {
    fs,
    cwd,
    env,
    exported: bash.exportedEnv ?? {},
    // just-bash does not export what opens its opaque type, a string with one byte in each character.
    stdin: inputOf(bash.stdin as unknown as string),
    signal,
    elsewhere: () => host.onElsewhere(name),
    resolve: (path) => fs.resolvePath(cwd, path),
    original: async (args) => {
      if (!callsOriginal || !bash.origCommand) return { stderr: `bash: ${name}: command not found\n`, exitCode: 127 };
      return fromResult(await untilAbort(bash.origCommand([...args]), signal));
    },
    exec: async ([first = "", ...args], stdin) => {
      if (!callsOthers || !bash.exec) return { stderr: `bash: ${first}: command not found\n`, exitCode: 127 };
      const input = stdin ? { stdin: decodeBytes(stdin, "latin1"), stdinKind: "bytes" as const } : {};
      // Without them it has none of what the script exported.
      const exported = bash.exportedEnv ? { env: bash.exportedEnv } : {};
      return fromResult(await bash.exec(quoteWord(first), { cwd, args, ...exported, ...input }));
    },
  };
}

/** What a command of just-bash gives; it may go on for a while after an abort, or wait for ever then. */
function untilAbort<T>(running: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    running.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

function toResult({ stdout = "", stderr = "", exitCode = 0 }: CommandOutput): ExecResult {
  if (typeof stdout === "string") return { stdout, stdoutKind: "text", stderr, exitCode };
  return { stdout: decodeBytes(stdout, "latin1"), stdoutKind: "bytes", stdoutEncoding: "binary", stderr, exitCode };
}

function fromResult({ stdout, stdoutKind, stdoutEncoding, stderr, exitCode }: ExecResult): CommandOutput {
  const isBytes = stdoutKind === "bytes" || stdoutEncoding === "binary";
  return { stdout: isBytes ? encodeContent(stdout, "latin1") : stdout, stderr, exitCode };
}

function inputOf(latin1: string): CommandInput {
  const bytes = (): Uint8Array => encodeContent(latin1, "latin1");
  return { bytes, text: () => decodeBytes(bytes(), "utf8") };
}

/** The word, such that the shell takes it as it is. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
