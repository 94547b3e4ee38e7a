import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** What a script printed to standard output, how it ended, and the files that it left, by path. */
export interface ScriptResult {
  readonly stdout: string;
  readonly exitCode: number;
  readonly files: Readonly<Record<string, string>>;
}

/** A folder with a repository, of which each script gets a copy of its own. */
export interface RealBash {
  /** Everything in `.git`, by path. */
  readonly gitFiles: Readonly<Record<string, Uint8Array>>;
  /** The files beside it, by path. */
  readonly files: Readonly<Record<string, string>>;
  run(script: string): ScriptResult;
  [Symbol.dispose](): void;
}

export const AUTHOR = { name: "Ada", email: "ada@example.com" };
/** When every commit is made, in milliseconds. */
export const NOW = 1_700_000_000_000;
/** A copy for each script is much faster where this is. */
const IN_MEMORY = "/dev/shm";
const MAX_MS = 20_000;

/**
 * Bash, git and the like of this machine, at work in a temporary folder. A script sees the folder by its real path in place
 * of `/workspace`, which is put back in what it prints. Nothing dangerous is for here: it is not confined.
 */
export function realBash(files: ReadonlyMap<string, string>, prepare: string): RealBash {
  const folder = mkdtempSync(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), "tenrec-scripts-"));
  const base = join(folder, "base");
  for (const [path, content] of files) {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), content);
  }
  const prepared = start(folder, base, prepare);
  if (prepared.status !== 0) throw new Error(`${prepared.stdout}${prepared.stderr}`);
  return {
    files: filesOf(base),
    gitFiles: Object.fromEntries(
      walk(join(base, ".git"), "").map((path) => [path, readFileSync(join(base, ".git", path))]),
    ),
    run(script) {
      const copy = join(folder, "workspace");
      const home = join(folder, "home");
      for (const path of [copy, home]) rmSync(path, { recursive: true, force: true });
      cpSync(base, copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
      const { stdout, status } = start(folder, copy, script.replaceAll("/workspace", copy));
      return { stdout: stdout.replaceAll(copy, "/workspace"), exitCode: status ?? 1, files: filesOf(copy) };
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function start(folder: string, cwd: string, script: string): SpawnSyncReturns<string> {
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  const date = `${NOW / 1000} +0000`;
  const env = {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    HOME: home,
    USER: "user",
    LC_ALL: "C.UTF-8",
    TZ: "UTC",
    TMPDIR: "/tmp",
    GIT_AUTHOR_NAME: AUTHOR.name,
    GIT_AUTHOR_EMAIL: AUTHOR.email,
    GIT_COMMITTER_NAME: AUTHOR.name,
    GIT_COMMITTER_EMAIL: AUTHOR.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_DATE: date,
    GIT_CONFIG_NOSYSTEM: "1",
    // What git takes for the time that it is.
    GIT_TEST_DATE_NOW: `${NOW / 1000}`,
  };
  // In a process group of its own, of which nothing is left: a script of chance may go on in the background.
  const options = { cwd, env, input: "", timeout: MAX_MS, killSignal: "SIGKILL", detached: true } as const;
  const result = spawnSync("bash", ["-c", LIMITED, "bash", script], { ...options, encoding: "utf8" });
  try {
    process.kill(-result.pid, "SIGKILL");
  } catch {
    // It has ended, as nearly all do.
  }
  return result;
}

/** What a script may take: processes, KiB of memory, and blocks of a file. */
const LIMITED = 'ulimit -S -u 2000; ulimit -S -v 4000000; ulimit -S -f 200000; exec bash -c "$1"';

function filesOf(folder: string): Record<string, string> {
  const paths = walk(folder, "").filter((path) => !path.startsWith(".git/"));
  return Object.fromEntries(paths.map((path) => [`/${path}`, contentOf(join(folder, path))]));
}

function contentOf(path: string): string {
  try {
    return `-> ${readlinkSync(path)}`;
  } catch {
    return readFileSync(path, "latin1");
  }
}

function walk(folder: string, below: string): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    return entry.isDirectory() ? walk(folder, path) : [path];
  });
}
