import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { CleanUp } from "../bench/frame/clean-up.ts";
import type { Host } from "./host.ts";

const LAST_LINES = 40;

/** An app under `wrangler dev`, in the folder where it is, with what is done before: `vite build`, migrations. */
export async function startWrangler(
  folder: string,
  before: readonly (readonly string[])[],
  cleanUp: CleanUp,
): Promise<Host> {
  for (const command of before) await runToEnd(folder, command, cleanUp);
  const args = ["dev", "--port", "0", "--ip", "127.0.0.1", "--inspector-port", "0", "--test-scheduled"];
  const { child, log, kill } = start(folder, ["wrangler", ...args, "--show-interactive-dev-session=false"], cleanUp);
  const address = new Promise<string>((resolve) => {
    log.onLine = (line) => {
      const found = /Ready on (http:\/\/[\d.]+:\d+)/.exec(line)?.[1];
      if (found !== undefined) resolve(`${found}/`);
    };
  });
  const url = await Promise.race([address, ended(child, log)]);
  const stop = async (): Promise<void> => {
    const exited = child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined;
    kill();
    await exited;
  };
  return { name: "wrangler dev", url, socketUrl: url, cookies: new Map(), stop };
}

interface Log {
  readonly lines: string[];
  onLine: (line: string) => void;
}

async function runToEnd(folder: string, command: readonly string[], cleanUp: CleanUp): Promise<void> {
  const { child, log, kill } = start(folder, command, cleanUp);
  const [code] = (await once(child, "exit")) as [number | null];
  kill();
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}:\n${log.lines.join("\n")}`);
}

/** A command of a package, in a process group of its own: what it starts ends with it. */
function start(
  folder: string,
  [command = "", ...args]: readonly string[],
  cleanUp: CleanUp,
): { child: ChildProcess; log: Log; kill: () => void } {
  const child = spawn(process.execPath, [binOf(command), ...args], {
    cwd: folder,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, CI: "true", WRANGLER_SEND_METRICS: "false", CLOUDFLARE_CF_FETCH_ENABLED: "false" },
  });
  const kill = cleanUp.add(() => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // Nothing is left of it.
    }
  });
  const log: Log = { lines: [], onLine: () => {} };
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on("line", (line) => {
      if (log.lines.push(line) > LAST_LINES) log.lines.shift();
      log.onLine(line);
    });
  }
  return { child, log, kill };
}

async function ended(child: ChildProcess, log: Log): Promise<never> {
  const [code] = (await once(child, "exit")) as [number | null];
  throw new Error(`wrangler dev ended with ${code}:\n${log.lines.join("\n")}`);
}

/** The file that an installed package runs as a command of its own name. */
function binOf(name: string): string {
  const folder = join(import.meta.dirname, "..", "node_modules", name);
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  return join(folder, typeof bin === "string" ? bin : (bin[name] ?? ""));
}

interface Manifest {
  readonly bin: string | Readonly<Record<string, string>>;
}
