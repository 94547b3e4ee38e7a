import type { FileSystem } from "@tenrec/protocol";
import { hasCode, WORKSPACE_ROOT } from "@tenrec/protocol";
import type { Bash, ExecOptions } from "just-bash/browser";
import { BUNDLED, createBash, createFiles, ENV } from "./create-bash.ts";
import { directLine } from "./direct/direct-line.ts";
import { STOPPED } from "./direct/endings.ts";
import { createProcesses } from "./direct/processes.ts";
import { runDirect } from "./direct/run-direct.ts";
import { BashFileSystem } from "./file-system.ts";
import type { ParsedLine } from "./parse-line.ts";
import { failedCommand } from "./problem-of.ts";
import { ScratchFileSystem } from "./scratch-file-system.ts";
import type { CommandOutput, ShellCommand } from "./shell-command.ts";
import { SystemWords } from "./system-words.ts";
import { createTraps, type Traps } from "./commands/trap.ts";
import type { CommandHost } from "./to-bash-command.ts";

export interface ShellOptions {
  readonly fs: FileSystem;
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeout: number;
  /** Whether a heavy command that turns up while running may stop it, so that all of it runs elsewhere. */
  readonly escalates: () => boolean;
  /** Commands beside just-bash's own, or in their place. A heavy one that is not among them needs an executor. */
  readonly commands: readonly ShellCommand[];
}

export interface ShellResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  /** Heavy commands that were called and could not run here. */
  readonly missing: readonly string[];
  /** It stopped before it changed the tree, for a heavy command. */
  readonly escalate: boolean;
  readonly timedOut: boolean;
  /** Files that it left outside the tree and `/tmp`, and that are gone now. */
  readonly lost: readonly string[];
  /** Failures of the tree that the command may have worded as something else. */
  readonly troubles: readonly string[];
}

type ShellOutput = Pick<ShellResult, "stdout" | "stderr" | "exitCode">;

/**
 * Runs a command line in the isolate: the tree at `/workspace`, everything else in memory and gone afterwards. When it
 * resolves or rejects, nothing of the command reaches the tree any more. Rejects with `signal.reason` on abort, and with
 * `approval-required` when a command asks for one.
 */
export async function runShell(line: ParsedLine, options: ShellOptions): Promise<ShellResult> {
  const { fs, signal, timeout } = options;
  const words = new SystemWords();
  const tree = new BashFileSystem(fs, words);
  const stop = new AbortController();
  const missing: string[] = [];
  const { promise: ended, resolve: onEnd } = Promise.withResolvers<undefined>();
  // At once: what the command still does before it notices must not count.
  const end = (why: unknown): void => {
    stop.abort(why);
    void tree.close();
    // Not at once, so that a shell which stops by itself can give its own result.
    setTimeout(() => onEnd(undefined), 50);
  };
  const onElsewhere = (name: string): CommandOutput => {
    missing.push(name);
    if (options.escalates() && !tree.changed) end("escalate");
    return { stderr: `bash: ${name}: command not found\n`, exitCode: 127 };
  };
  const timer = setTimeout(() => end("timeout"), timeout);
  // One signal for both, by hand: `AbortSignal.any` costs more than a small command.
  const onAbort = (): void => end(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort);
  const onThrow = (error: unknown, name: string): CommandOutput => {
    if (hasCode(error, "approval-required")) end(error);
    // What was ended has nothing to say.
    return stop.signal.aborted ? { exitCode: STOPPED } : failedCommand(error, name);
  };
  const traps = createTraps();
  // What they do beside the tree must not go on after the answer either.
  const pending = new Set<Promise<unknown>>();
  const onRun = (running: Promise<unknown>): void => {
    pending.add(running);
    const done = (): unknown => pending.delete(running);
    void running.then(done, done);
  };
  const host: CommandHost = { onThrow, onElsewhere, onRun };
  const scratch = new ScratchFileSystem(words);
  const commands = [...options.commands, traps.command];
  const files = createFiles(tree, scratch, commands);
  const start = (): Promise<ShellOutput> => {
    const run = { timeout, signal: stop.signal, host };
    const direct = directLine(line, options.commands, BUNDLED);
    if (direct) {
      const processes = createProcesses(
        (take) => createBash(files, commands, run, { more: [take], names: direct.called }),
        ENV,
        (bash, script, input) => bash.exec(script, stoppable(stop.signal, { ...input, rawScript: true })),
      );
      return runDirect(direct, { fs: files, cwd: WORKSPACE_ROOT, env: ENV, signal: stop.signal, host, processes });
    }
    const bash = createBash(files, commands, run);
    return runWithTraps(bash, line.text, stop.signal, traps).catch((error: unknown) => atRedirection(error, words));
  };
  try {
    const result = await Promise.race([start(), ended]);
    signal.throwIfAborted();
    if (hasCode(stop.signal.reason, "approval-required")) throw stop.signal.reason;
    const { stdout, stderr, exitCode } = result ?? { stdout: "", stderr: "", exitCode: STOPPED };
    const timedOut = stop.signal.reason === "timeout";
    const escalate = stop.signal.reason === "escalate";
    return {
      stdout,
      stderr: words.apply(stderr),
      exitCode,
      missing,
      escalate,
      timedOut,
      lost: await scratch.left(),
      troubles: tree.troubles,
    };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    if (stop.signal.aborted) await Promise.allSettled(pending);
    await tree.close();
  }
}

/** Runs the script, and then what it left for its end, which the exit code does not depend on. */
async function runWithTraps(bash: Bash, script: string, signal: AbortSignal, traps: Traps): Promise<ShellOutput> {
  const result = await bash.exec(script, stoppable(signal, { rawScript: true }));
  const atEnd = traps.onExit();
  if (atEnd === undefined || signal.aborted) return result;
  const { exitCode, env } = result;
  // In a subshell that has the code in `$?`.
  const last = await bash.exec(`(exit ${exitCode})\n${atEnd}`, stoppable(signal, { rawScript: true, env }));
  return { ...last, stdout: result.stdout + last.stdout, stderr: result.stderr + last.stderr, exitCode };
}

/**
 * A workaround for what a signal costs: just-bash keeps it in two places, and where its shell has one, each command gets an
 * `AbortController` of its own that is aborted with an error at its end, which takes longer than most commands. The one
 * that it reads first is asked before each command and while files are walked; that is enough, since all of our own commands
 * and `sleep` hear of the end by themselves.
 */
function stoppable(signal: AbortSignal, options: Omit<ExecOptions, "signal">): ExecOptions {
  let reads = 0;
  const given = {
    ...options,
    get signal(): AbortSignal | undefined {
      return reads++ === 0 ? signal : undefined;
    },
  };
  return given as ExecOptions;
}

/**
 * just-bash ends the whole script where a file cannot be opened in what `eval` runs, or not be written, and loses what was
 * printed. The model must know both, and that the changes before are there. See `redirections.ts` for the rest.
 */
function atRedirection(error: unknown, words: SystemWords): ShellOutput {
  if (!(error instanceof Error) || !words.thrown.has(error)) throw error;
  const { stderr = "" } = failedCommand(error.cause ?? error, "bash");
  const stopped =
    "bash: a redirection failed, and the script ended there. What it printed before is lost, what it changed is kept.\n";
  return { stdout: "", stderr: stopped + stderr, exitCode: 1 };
}
