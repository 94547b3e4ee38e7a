import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentClient, SessionClient } from "@tenrec/runtime/client";
import { packTar, readFolder, unpackTar, writeFolder } from "@tenrec/vfs/folder";
import { expect, test } from "vitest";
import { root, startAppBuilder } from "./with-app-builder.ts";

/** workerd, wrangler and the bundler beside the other tests on two cores. In milliseconds. */
const SLOW = 180_000;

test(
  "builds an app that is live, that wrangler would deploy as it is exported, and beside a bomb",
  { timeout: SLOW },
  async () => {
    await using started = await startAppBuilder();
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
