import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { type AgentClient, connect } from "@tenrec/runtime/client";

const root = join(import.meta.dirname, "..");
const LEFT_OUT = /\/(node_modules|\.wrangler|\.cache|\.dev\.vars|page\.js)$/;
const OUR_VARIABLES = /^(TENREC_|ANTHROPIC_|OPENAI_|NO_COLOR|FORCE_COLOR|NODE_OPTIONS|VITEST)/;

export interface Started {
  readonly output: () => string;
  /** Resolves with the whole output when it says so. Rejects when the process ends before. */
  says(text: string): Promise<string>;
  /** Of the page, as printed. */
  url(): URL;
  agent(): AgentClient;
  session(): string;
  /** Sends a signal and resolves with the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  readonly exit: Promise<number | null>;
}

export interface Starter extends AsyncDisposable {
  readonly folder: string;
  start(args?: readonly string[], env?: Readonly<Record<string, string>>): Started;
}

/** A copy of the example in a folder of its own, to start as `npm start` does. */
export function withStarter(): Starter {
  const folder = mkdtempSync(join(tmpdir(), "tenrec-starter-"));
  cpSync(root, folder, { recursive: true, filter: (source) => !LEFT_OUT.test(source) });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const running = new Set<Started>();
  return {
    folder,
    start(args = [], env = {}) {
      const started = watch(spawnStart(folder, args, env));
      running.add(started);
      return started;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...running].map((started) => started.end("SIGTERM")));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function spawnStart(folder: string, args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !OUR_VARIABLES.test(name));
  return spawn(process.execPath, ["--conditions=tenrec-source", "start/main.ts", ...args], {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function watch(child: ChildProcess): Started {
  let output = "";
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += stripVTControlCharacters(text);
      for (const listener of listeners) listener();
    });
  }
  const exit = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  const url = (): URL => new URL(/running at (\S+)/.exec(output)?.[1] ?? "");
  const fragment = (): URLSearchParams => new URLSearchParams(url().hash.slice(1));
  return {
    exit,
    url,
    output: () => output,
    session: () => fragment().get("session") ?? "",
    agent: () => connect(`${url().origin}/agents/coder/starter`, { token: fragment().get("token") ?? "" }),
    says: (text) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (!output.includes(text)) return;
          listeners.delete(check);
          resolve(output);
        };
        listeners.add(check);
        check();
        void exit.then(() => reject(new Error(`it ended without saying "${text}":\n${output}`)));
      }),
    end(signal) {
      child.kill(signal);
      return exit;
    },
  };
}
