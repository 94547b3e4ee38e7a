import { spawn } from "node:child_process";
import { once } from "node:events";
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
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";

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
  /** Several may run at a time. */
  run(script: string): Promise<ScriptResult>;
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
export async function realBash(files: ReadonlyMap<string, string>, prepare: string): Promise<RealBash> {
  const folder = mkdtempSync(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), "tenrec-scripts-"));
  const base = join(folder, "base");
  for (const [path, content] of files) {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), content);
  }
  const prepared = await start(join(folder, "home"), base, prepare);
  let runs = 0;
  if (prepared.status !== 0) throw new Error(`${prepared.stdout}${prepared.stderr}`);
  return {
    files: filesOf(base),
    gitFiles: Object.fromEntries(
      walk(join(base, ".git"), "").map((path) => [path, readFileSync(join(base, ".git", path))]),
    ),
    async run(script) {
      const own = join(folder, `run-${runs++}`);
      const copy = join(own, "workspace");
      // In the same order each time, which `cp` does not keep.
      cpSync(base, copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
      const { stdout, status } = await start(join(own, "home"), copy, script.replaceAll("/workspace", copy));
      const result = { stdout: stdout.replaceAll(copy, "/workspace"), exitCode: status ?? 1, files: filesOf(copy) };
      await rm(own, { recursive: true, force: true });
      return result;
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

interface Started {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

async function start(home: string, cwd: string, script: string): Promise<Started> {
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
    // Nothing to copy for each repository.
    GIT_TEMPLATE_DIR: "",
    // What git takes for the time that it is.
    GIT_TEST_DATE_NOW: `${NOW / 1000}`,
  };
  // In a process group of its own, of which nothing is left: a script of chance may go on in the background.
  const child = spawn("bash", ["-c", LIMITED, "bash", script], { cwd, env, detached: true });
  const end = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended, as nearly all do.
    }
  };
  const timer = setTimeout(end, MAX_MS);
  child.stdin.on("error", () => undefined).end();
  child.once("exit", end);
  const texts = Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = (await once(child, "close")) as [number | null];
  clearTimeout(timer);
  const [stdout, stderr] = await texts;
  return { stdout, stderr, status };
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
