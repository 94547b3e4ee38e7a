import type { FileSystem } from "@tenrec/protocol";
import { hasCode, WORKSPACE_ROOT } from "@tenrec/protocol";
import type { BashExecResult, BashOptions, Command, CommandName } from "just-bash/browser";
import { Bash, getCommandNames, MountableFs } from "just-bash/browser";
import { HEAVY_COMMANDS } from "./heavy-commands.ts";
import { BashFileSystem } from "./file-system.ts";
import { REDIRECTIONS } from "./redirections.ts";
import { SystemWords } from "./system-words.ts";
import { ScratchFileSystem } from "./scratch-file-system.ts";
import { CommandFolder } from "./command-folder.ts";
import type { CommandOutput, ShellCommand } from "./shell-command.ts";
import { createTraps, type Traps } from "./commands/trap.ts";
import { failedCommand } from "./problem-of.ts";
import { type CommandHost, toBashCommand } from "./to-bash-command.ts";

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

const MIB = 1024 * 1024;

// The object has 128 MB for everything. Lines of a file through awk or sed are cheap and bounded by its size, so they get
// more than the profile's 10,000; loops of the shell do not.
const LIMITS: NonNullable<BashOptions["executionLimits"]> = {
  maxStringLength: 5 * MIB,
  maxOutputSize: 5 * MIB,
  maxLiveBytes: 32 * MIB,
  maxInputBytes: 32 * MIB,
  maxFileSystemBytes: 16 * MIB,
  maxHeredocSize: 2 * MIB,
  maxAwkIterations: 200_000,
  maxSedIterations: 20_000,
  maxJqIterations: 200_000,
  maxWorkUnits: 1_000_000,
};

const BUNDLED: ReadonlySet<string> = new Set(getCommandNames());

/** Stand-ins that say by the shell's own words that a command is missing, and that it was called. */
const HEAVY_STUBS: readonly ShellCommand[] = Array.from(HEAVY_COMMANDS, (name) => ({
  name,
  run: async (_args, context) => context.elsewhere(),
}));

const ENV = { HOME: "/home/user", USER: "user", PATH: "/bin", TMPDIR: "/tmp" };

/**
 * Runs a command line in the isolate: the tree at `/workspace`, everything else in memory and gone afterwards. When it
 * resolves or rejects, nothing of the command reaches the tree any more. Rejects with `signal.reason` on abort, and with
 * `approval-required` when a command asks for one.
 */
export async function runShell(commandLine: string, options: ShellOptions): Promise<ShellResult> {
  const { fs, signal, timeout } = options;
  const words = new SystemWords();
  const tree = new BashFileSystem(fs, words);
  const stop = new AbortController();
  const missing: string[] = [];
  // At once: what the command still does before it notices must not count.
  const end = (why: unknown): void => {
    stop.abort(why);
    void tree.close();
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
    return failedCommand(error, name);
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
  const commands = [...options.commands, traps.command];
  try {
    const scratch = new ScratchFileSystem(words, stop.signal);
    const bash = createBash(tree, scratch, commands, timeout, (each) => toBashCommand(each, stop.signal, host));
    const running = runWithTraps(bash, commandLine, stop.signal, traps).catch((error: unknown) =>
      atRedirection(error, words),
    );
    const result = await unlessAborted(running, stop.signal);
    signal.throwIfAborted();
    if (hasCode(stop.signal.reason, "approval-required")) throw stop.signal.reason;
    const { stdout, stderr, exitCode } = result ?? { stdout: "", stderr: "", exitCode: 124 };
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
async function runWithTraps(bash: Bash, script: string, signal: AbortSignal, traps: Traps): Promise<BashExecResult> {
  const options = { signal, rawScript: true };
  const result = await bash.exec(script, options);
  const atEnd = traps.onExit();
  if (atEnd === undefined || signal.aborted) return result;
  const { exitCode, env } = result;
  // In a subshell that has the code in `$?`.
  const last = await bash.exec(`(exit ${exitCode})\n${atEnd}`, { ...options, env });
  return { ...last, stdout: result.stdout + last.stdout, stderr: result.stderr + last.stderr, exitCode };
}

/**
 * just-bash ends the whole script where a file cannot be opened in what `eval` runs, or not be written, and loses what was
 * printed. The model must know both, and that the changes before are there. See `redirections.ts` for the rest.
 */
function atRedirection(error: unknown, words: SystemWords): Pick<BashExecResult, "stdout" | "stderr" | "exitCode"> {
  if (!(error instanceof Error) || !words.thrown.has(error)) throw error;
  const { stderr = "" } = failedCommand(error.cause ?? error, "bash");
  const stopped =
    "bash: a redirection failed, and the script ended there. What it printed before is lost, what it changed is kept.\n";
  return { stdout: "", stderr: stopped + stderr, exitCode: 1 };
}

function createBash(
  tree: BashFileSystem,
  base: ScratchFileSystem,
  commands: readonly ShellCommand[],
  timeout: number,
  wrap: (command: ShellCommand) => Command,
): Bash {
  for (const directory of ["/tmp", "/home/user"]) base.mkdirSync(directory, { recursive: true });
  const own = new Map(commands.map((command) => [command.name, command]));
  const mounts = [
    { mountPoint: WORKSPACE_ROOT, filesystem: tree },
    { mountPoint: "/bin", filesystem: new CommandFolder([BUNDLED, own]) },
  ];
  // Those that ours take the place of altogether are left out; the rest has to be there for `original`.
  const bundled = Array.from(BUNDLED).filter((name) => own.get(name)?.callsOriginal ?? !own.has(name));
  const bash = new Bash({
    fs: new MountableFs({ base, mounts }),
    cwd: WORKSPACE_ROOT,
    env: ENV,
    commands: bundled as CommandName[],
    customCommands: [...HEAVY_STUBS.filter(({ name }) => !own.has(name)), ...own.values()].map(wrap),
    executionLimitProfile: "hardened",
    executionLimits: { ...LIMITS, maxExecutionTimeMs: timeout + 1000 },
    // It patches globals, which all that runs in this isolate shares.
    defenseInDepth: false,
  });
  bash.registerTransformPlugin(REDIRECTIONS);
  return bash;
}

/** What `running` gives; undefined when the signal is aborted and it does not end by itself soon. */
function unlessAborted<T>(running: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    // Not at once, so that a shell which stops by itself can give its own result.
    const later = (): void => void setTimeout(() => resolve(undefined), 50);
    if (signal.aborted) later();
    else signal.addEventListener("abort", later, { once: true });
    const done = (): void => signal.removeEventListener("abort", later);
    running.then(resolve, reject).finally(done);
  });
}
