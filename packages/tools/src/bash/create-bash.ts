import { WORKSPACE_ROOT } from "@tenrec/protocol";
import type { Command, CommandName, IFileSystem } from "just-bash/browser";
import { Bash, getCommandNames, MountableFs } from "just-bash/browser";
import { CommandFolder } from "./command-folder.ts";
import { HEAVY_COMMANDS } from "./heavy-commands.ts";
import { LIMITS } from "./limits.ts";
import type { ScratchFileSystem } from "./scratch-file-system.ts";
import type { ShellCommand } from "./shell-command.ts";
import { type CommandHost, toBashCommand } from "./to-bash-command.ts";
import { WORKAROUNDS } from "./workarounds.ts";

/** The commands of just-bash. */
export const BUNDLED: ReadonlySet<string> = new Set(getCommandNames());

/** Stand-ins that say by the shell's own words that a command is missing, and that it was called. */
const HEAVY_STUBS: readonly ShellCommand[] = Array.from(HEAVY_COMMANDS, (name) => ({
  name,
  run: async (_args, context) => context.elsewhere(),
}));

/** The variables that a shell begins with. */
export const ENV: Readonly<Record<string, string>> = { HOME: "/home/user", USER: "user", PATH: "/bin", TMPDIR: "/tmp" };

/** The tree in its place among the shell's other files. */
export function createFiles(tree: IFileSystem, base: ScratchFileSystem, own: readonly ShellCommand[]): IFileSystem {
  for (const directory of ["/tmp", "/home/user"]) base.mkdirSync(directory, { recursive: true });
  const mounts = [
    { mountPoint: WORKSPACE_ROOT, filesystem: tree },
    { mountPoint: "/bin", filesystem: new CommandFolder(BUNDLED, own) },
  ];
  return new MountableFs({ base, mounts });
}

export interface BashRun {
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly host: CommandHost;
}

interface BashParts {
  /** Commands that are not of ours. */
  readonly more: readonly Command[];
  /** The only ones that are called, by their names; each that is left out saves time. Default: all. */
  readonly names: ReadonlySet<string | undefined> | undefined;
}

/** A shell for one call: just-bash keeps options, exported names and more from one `exec` to the next. */
export function createBash(
  fs: IFileSystem,
  commands: readonly ShellCommand[],
  { timeout, signal, host }: BashRun,
  { more, names }: BashParts = { more: [], names: undefined },
): Bash {
  const isCalled = (name: string): boolean => names?.has(name) ?? true;
  const own = new Map(commands.filter(({ name }) => isCalled(name)).map((command) => [command.name, command]));
  // Those that ours take the place of altogether are left out; the rest has to be there for `original`.
  const bundled = Array.from(BUNDLED).filter(
    (name) => isCalled(name) && (own.get(name)?.callsOriginal ?? !own.has(name)),
  );
  const stubs = HEAVY_STUBS.filter(({ name }) => isCalled(name) && !own.has(name));
  const wrapped = [...stubs, ...own.values()].map((command) => toBashCommand(command, signal, host));
  const bash = new Bash({
    fs,
    cwd: WORKSPACE_ROOT,
    env: ENV,
    commands: bundled as CommandName[],
    customCommands: [...wrapped, ...more],
    executionLimitProfile: "hardened",
    executionLimits: { ...LIMITS, maxExecutionTimeMs: timeout + 1000 },
    sleep: (ms) => sleep(ms, signal),
    // It patches globals, which all that runs in this isolate shares.
    defenseInDepth: false,
  });
  bash.registerTransformPlugin(WORKAROUNDS);
  return bash;
}

/** Resolves early when the signal is aborted. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}
