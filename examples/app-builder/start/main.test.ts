import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentClient, connect, type SessionClient } from "@tenrec/runtime/client";
import { packTar, readFolder, unpackTar, writeFolder } from "@tenrec/vfs/folder";
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
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OUR_VARIABLES.test(name)));
  // As little memory as an isolate has that is deployed: without it, an app that takes all would take the machine's.
  const env = { ...inherited, MINIFLARE_WORKERD_V8_FLAGS: "--max-old-space-size=110" };
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
  "builds an app that is live, that wrangler would deploy as it is exported, and beside a bomb",
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

    await takesAllMemory(agent, session);
    expect(await (await fetch(`${url}api/entries`)).json()).toEqual(entries);
  },
);

/** An app that takes all memory ends workerd, which is started again, and the turn beside it goes on. */
async function takesAllMemory(agent: AgentClient, session: SessionClient): Promise<void> {
  const bomb = await agent.sessions.create({ filesFrom: null });
  const folder = mkdtempSync(join(tmpdir(), "tenrec-bomb-"));
  mkdirSync(join(folder, "src"));
  const config = { name: "bomb", main: "src/index.js", compatibility_date: "2026-01-01" };
  writeFileSync(join(folder, "wrangler.json"), JSON.stringify(config));
  const source = `const all = [];
    export default { fetch({ url }) {
      if (url.endsWith("/pattern")) return new Response(String(/^(a+)+$/.test("a".repeat(60) + "b")));
      for (;;) all.push(new Array(100_000).fill(1.5));
    } };`;
  writeFileSync(join(folder, "src/index.js"), source);
  await bomb.files.import(packTar(readFolder(folder)));
  rmSync(folder, { recursive: true });
  const { url } = await bomb.preview();
  // The other way to stop everybody, without any step that could be counted.
  expect(await (await fetch(`${url}pattern`)).text()).toBe("false");
  await session.submit("Make it dark", { operationId: "dark" });
  const answer = await fetch(url).catch(() => undefined);
  expect(answer?.status ?? 500).toBe(500);
  expect(await answer?.text()).not.toContain("EndlessLoopError");
  // While it is started again, nobody answers.
  const isDone = async (): Promise<boolean> => {
    const state = await session.wait("dark").catch(() => undefined);
    return state?.status === "done";
  };
  await expect.poll(isDone, { timeout: 60_000, interval: 200 }).toBe(true);
  expect((await session.files.read("/public/style.css")).text).toContain("#1d1916");
}
