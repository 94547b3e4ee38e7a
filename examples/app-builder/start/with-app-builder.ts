import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentClient, connect, type SessionClient } from "@tenrec/runtime/client";

/** Where the example is. */
export const root: string = join(import.meta.dirname, "..");
const LEFT_OUT = /\/(node_modules|\.wrangler|\.cache|\.dev\.vars|page\.js)$/;
const OUR_VARIABLES = /^(TENREC_|ANTHROPIC_|OPENAI_|NODE_OPTIONS|VITEST)/;
export interface Started extends AsyncDisposable {
  readonly agent: AgentClient;
  readonly session: SessionClient;
  /** A copy of the example, in which it runs. */
  readonly folder: string;
  readonly origin: string;
  /** What it printed for a browser, with the token. */
  readonly address: string;
}

/** Runs a copy of the example in a folder of its own, with these arguments besides. */
export async function startAppBuilder(...args: readonly string[]): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), "tenrec-app-builder-"));
  cpSync(root, folder, { recursive: true, filter: (source) => !LEFT_OUT.test(source) });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OUR_VARIABLES.test(name)));
  // As little memory as an isolate has that is deployed: without it, an app that takes all would take the machine's.
  const env = { ...inherited, MINIFLARE_WORKERD_V8_FLAGS: "--max-old-space-size=110" };
  const child = spawn(process.execPath, ["--conditions=tenrec-source", "start/main.ts", ...args], { cwd: folder, env });
  const exit = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.includes("Press Ctrl+C")) resolve(/running at (\S+)/.exec(output)?.[1] ?? "");
    });
  }
  void exit.then(() => reject(new Error(`it ended:\n${output}`)));
  const address = await promise;
  const { origin, hash } = new URL(address);
  const fragment = new URLSearchParams(hash.slice(1));
  const agent = connect(`${origin}/agents/builder/apps`, { token: fragment.get("token") ?? "" });
  return {
    agent,
    session: agent.session(fragment.get("session") ?? ""),
    folder,
    origin,
    address,
    async [Symbol.asyncDispose]() {
      child.kill("SIGINT");
      await exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
