import type { FileSystem } from "@tenrec/protocol";
import { hasCode, WORKSPACE_ROOT } from "@tenrec/protocol";
import type { BashOptions, Command } from "just-bash/browser";
import { Bash, defineCommand, getCommandNames, InMemoryFs, MountableFs } from "just-bash/browser";
import { failedOutput } from "../failed-output.ts";
import { BashFileSystem } from "./file-system.ts";
import type { CommandOutput, ShellCommand } from "./shell-command.ts";
import { toBashCommand } from "./to-bash-command.ts";

export interface ShellOptions {
  readonly fs: FileSystem;
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeout: number;
  /** Whether a heavy command that turns up while running may stop it, so that all of it runs elsewhere. */
  readonly escalates: boolean;
  /** Commands beside just-bash's own, or in their place. */
  readonly commands: readonly ShellCommand[];
  /** Names of the commands that only an executor has. */
  readonly heavy: Iterable<string>;
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
  maxSedIterations: 200_000,
  maxWorkUnits: 1_000_000,
};

const ENV = { HOME: "/home/user", USER: "user", PATH: "/bin", TMPDIR: "/tmp" };

/**
 * Runs a command line in the isolate: the tree at `/workspace`, everything else in memory and gone afterwards. When it
 * resolves or rejects, nothing of the command reaches the tree any more. Rejects with `signal.reason` on abort, and with
 * `approval-required` when a command asks for one.
 */
export async function runShell(commandLine: string, options: ShellOptions): Promise<ShellResult> {
  const { fs, signal, timeout } = options;
  const tree = new BashFileSystem(fs);
  const stop = new AbortController();
  const missing: string[] = [];
  // At once: what the command still does before it notices must not count.
  const end = (why: unknown): void => {
    stop.abort(why);
    void tree.close();
  };
  const onHeavy = (name: string): void => {
    missing.push(name);
    if (options.escalates && !tree.changed) end("escalate");
  };
  const timer = setTimeout(() => end("timeout"), timeout);
  const either = AbortSignal.any([signal, stop.signal]);
  const onThrow = (error: unknown, name: string): CommandOutput => {
    if (hasCode(error, "approval-required")) end(error);
    return { stderr: `${name}: ${failedOutput(error).text}\n`, exitCode: 1 };
  };
  const commands = [
    ...heavyStubs(options.heavy, onHeavy),
    ...options.commands.map((command) => toBashCommand(command, either, onThrow)),
  ];
  try {
    const running = createBash(tree, commands, timeout).exec(commandLine, {
      signal: either,
      rawScript: true,
    });
    const result = await Promise.race([running, untilAborted(either)]);
    signal.throwIfAborted();
    if (hasCode(stop.signal.reason, "approval-required")) throw stop.signal.reason;
    const { stdout, stderr, exitCode } = result ?? { stdout: "", stderr: "", exitCode: 124 };
    const timedOut = stop.signal.reason === "timeout";
    const escalate = stop.signal.reason === "escalate";
    return { stdout, stderr, exitCode, missing, escalate, timedOut, troubles: tree.troubles };
  } finally {
    clearTimeout(timer);
    await tree.close();
  }
}

function createBash(tree: BashFileSystem, customCommands: Command[], timeout: number): Bash {
  const base = new InMemoryFs({ "/dev/null": "" }, { maxTotalBytes: 16 * MIB });
  for (const directory of ["/tmp", "/home/user", "/bin"]) base.mkdirSync(directory, { recursive: true });
  for (const name of getCommandNames()) base.writeFileSync(`/bin/${name}`, "", undefined, { mode: 0o755 });
  return new Bash({
    fs: new MountableFs({ base, mounts: [{ mountPoint: WORKSPACE_ROOT, filesystem: tree }] }),
    cwd: WORKSPACE_ROOT,
    env: ENV,
    customCommands,
    executionLimitProfile: "hardened",
    executionLimits: { ...LIMITS, maxExecutionTimeMs: timeout + 1000 },
    // It patches globals, which all that runs in this isolate shares.
    defenseInDepth: false,
  });
}

/** Stand-ins that say by the shell's own words that a command is missing, and tell us that it was called. */
function heavyStubs(names: Iterable<string>, onCall: (name: string) => void): Command[] {
  return Array.from(names, (name) =>
    defineCommand(name, () => {
      onCall(name);
      return Promise.resolve({ stdout: "", stderr: `bash: ${name}: command not found\n`, exitCode: 127 });
    }),
  );
}

function untilAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    const later = (): void => {
      // Not at once, so that a shell which stops by itself can give its own result.
      setTimeout(() => resolve(undefined), 50);
    };
    if (signal.aborted) later();
    else signal.addEventListener("abort", later, { once: true });
  });
}
