import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentClient, connect, type SessionClient } from "@tenrec/runtime/client";
import { unpackTar, writeFolder } from "@tenrec/vfs/folder";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const LEFT_OUT = /\/(node_modules|\.wrangler|\.cache|\.dev\.vars|page\.js)$/;
const OUR_VARIABLES = /^(TENREC_|ANTHROPIC_|OPENAI_|NODE_OPTIONS|VITEST)/;
/** workerd, wrangler and the bundler beside the other tests on two cores. In milliseconds. */
const SLOW = 180_000;

interface Started extends AsyncDisposable {
  readonly agent: AgentClient;
  readonly session: SessionClient;
  /** A copy of the example, in which it runs. */
  readonly folder: string;
  readonly origin: string;
}

async function start(): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), "tenrec-app-builder-"));
  cpSync(root, folder, { recursive: true, filter: (source) => !LEFT_OUT.test(source) });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OUR_VARIABLES.test(name)));
  const child = spawn(process.execPath, ["--conditions=tenrec-source", "start/main.ts"], { cwd: folder, env });
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
  const { origin, hash } = new URL(await promise);
  const fragment = new URLSearchParams(hash.slice(1));
  const agent = connect(`${origin}/agents/builder/apps`, { token: fragment.get("token") ?? "" });
  return {
    agent,
    session: agent.session(fragment.get("session") ?? ""),
    folder,
    origin,
    async [Symbol.asyncDispose]() {
      child.kill("SIGINT");
      await exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

test(
  "builds an app that is live at once, and that wrangler would deploy as it is exported",
  { timeout: SLOW },
  async () => {
    await using started = await start();
    const { agent, session, folder, origin } = started;
    expect(await session.wait("first")).toMatchObject({ status: "done" });

    const { url } = await session.preview();
    const entries = (await (await fetch(`${url}api/entries`)).json()) as { name: string }[];
    expect(entries.map(({ name }) => name)).toEqual(["Tenrec"]);
    expect(await (await fetch(url)).text()).toContain("<h1>Guest book</h1>");
    const told = (await session.history()).filter(({ type }) => type === "preview");
    expect(told).toMatchObject([
      { kind: "exception", detail: { name: "TypeError", at: { path: "/src/index.ts" } } },
      { kind: "request", detail: { status: 500 } },
    ]);
    // The page itself, and nothing of it where a preview is.
    const page = await fetch(origin);
    expect(await page.text()).toContain("/page.js");
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self';/);

    // Out as a zip, in again, and out as files: what is left is what wrangler takes.
    const other = await agent.sessions.create({ filesFrom: null });
    await other.files.import(await session.files.export("zip"));
    const out = join(folder, "out");
    await writeFolder(out, unpackTar(await other.files.export()));
    const wrangler = join(root, "node_modules/.bin/wrangler");
    const env = { ...process.env, WRANGLER_SEND_METRICS: "false", CI: "1" };
    const printed = execFileSync(wrangler, ["deploy", "--dry-run", "--outdir", "bundle"], {
      cwd: out,
      env,
      encoding: "utf8",
    });
    expect(printed).toContain("env.BOOK");
    expect(printed).toContain("--dry-run: exiting now.");
  },
);
