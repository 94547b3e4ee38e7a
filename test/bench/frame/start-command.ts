import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { CleanUp } from "./clean-up.ts";

const LAST_LINES = 40;
const START_MS = 120_000;

/** A command that runs, in a process group of its own: what it starts ends with it. */
export interface RunningCommand {
  /** The exit code; null where a signal ended it. */
  readonly exited: Promise<number | null>;
  /** What it printed last, in lines. */
  output(): string;
  /** The first line that has this, as it matches. Throws with what was printed when the command ends, or takes two minutes. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves once it has ended. */
  stop(): Promise<void>;
}

/** Starts a command of a package that `test` has installed. */
export function startCommand(
  [name = "", ...args]: readonly string[],
  folder: string,
  cleanUp: CleanUp,
): RunningCommand {
  const child = spawn(process.execPath, [binOf(name), ...args], {
    cwd: folder,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      CI: "true",
      NO_COLOR: "1",
      WRANGLER_SEND_METRICS: "false",
      CLOUDFLARE_CF_FETCH_ENABLED: "false",
    },
  });
  const kill = cleanUp.add(() => killGroup(child.pid));
  const exited = once(child, "exit").then(([code]) => code as number | null);
  const lines: string[] = [];
  let onLine: (line: string) => void = () => {};
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on("line", (line) => {
      if (lines.push(line) > LAST_LINES) lines.shift();
      onLine(line);
    });
  }
  const output = (): string => lines.join("\n");
  return {
    exited,
    output,
    printed(pattern) {
      const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
      const fail = (why: string): void => reject(new Error(`${name} ${why}:\n${output()}`));
      const timer = setTimeout(() => fail("did not start"), START_MS);
      void exited.then((code) => fail(`ended with ${code}`));
      onLine = (line) => {
        const found = pattern.exec(line);
        if (found) resolve(found);
      };
      return promise.finally(() => clearTimeout(timer));
    },
    async stop() {
      kill();
      await exited;
    },
  };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // Nothing is left of it.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

interface Manifest {
  readonly bin: string | Readonly<Record<string, string>>;
}

/** The file that an installed package runs as a command of its own name. */
function binOf(name: string): string {
  const folder = join(import.meta.dirname, "../../node_modules", name);
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  return join(folder, typeof bin === "string" ? bin : (bin[name] ?? ""));
}
