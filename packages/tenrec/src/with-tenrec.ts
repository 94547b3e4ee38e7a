import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { modelServer, type Script } from "@tenrec/testkit";
import { listen } from "@tenrec/testkit/server";
import type { JsonLine } from "./run/json-reporter.ts";

const MAIN = join(import.meta.dirname, "main.ts");
const OUR_VARIABLES =
  /^(TENREC_|ANTHROPIC_|OPENAI_|AI_GATEWAY_URL|NO_COLOR|FORCE_COLOR|NODE_OPTIONS|VITEST|INIT_CWD|npm_)/;

/** The command as a process. */
interface Started {
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves when standard output has the text. Rejects when the process ends before. */
  says(text: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Lines of `--json`. */
  lines(): JsonLine[];
  /** Resolves when it has ended with this code. Rejects, with what it printed, for another one. */
  ends(code: number | null): Promise<void>;
}

/** A folder with a few files, a data folder, and a model server that plays scripts. */
export interface Tenrec extends AsyncDisposable {
  readonly dir: string;
  start(...args: string[]): Started;
  /** The same without a model's key. */
  startBare(...args: string[]): Started;
}

export async function withTenrec(files: Readonly<Record<string, string>>, ...scripts: Script[]): Promise<Tenrec> {
  const root = mkdtempSync(join(tmpdir(), "tenrec-cli-"));
  const dir = join(root, "project");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  const server = await listen(modelServer(scripts, { apiKey: "right" }));
  const bare = { ...inherited(), XDG_DATA_HOME: join(root, "data") };
  const env = { ...bare, OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: "right" };
  const running = new Set<ChildProcess>();
  const begin = (args: readonly string[], variables: NodeJS.ProcessEnv): Started => {
    const command = ["--conditions=tenrec-source", MAIN, ...args];
    const child = spawn(process.execPath, command, { cwd: dir, env: variables, stdio: ["ignore", "pipe", "pipe"] });
    running.add(child);
    child.once("close", () => running.delete(child));
    return watch(child);
  };
  return {
    dir,
    start: (...args) => begin(args, env),
    startBare: (...args) => begin(args, bare),
    async [Symbol.asyncDispose]() {
      for (const child of running) child.kill("SIGKILL");
      await server.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

function inherited(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !OUR_VARIABLES.test(name)));
}

function watch(child: ChildProcess): Started {
  let stdout = "";
  let stderr = "";
  const listeners = new Set<() => void>();
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    for (const listener of listeners) listener();
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const exit = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    async ends(code) {
      const actual = await exit;
      if (actual !== code) throw new Error(`it ended with ${actual} and not ${code}:\n${stdout}\n${stderr}`);
    },
    kill: (signal) => void child.kill(signal),
    lines: () =>
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as JsonLine),
    says: (text) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (!stdout.includes(text)) return;
          listeners.delete(check);
          resolve();
        };
        listeners.add(check);
        check();
        void exit.then(() => reject(new Error(`it ended without saying "${text}":\n${stdout}\n${stderr}`)));
      }),
  };
}
