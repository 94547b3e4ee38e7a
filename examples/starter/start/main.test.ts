import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import type { ToolResultEvent } from "@tenrec/protocol";
import { modelServer } from "@tenrec/testkit";
import { listen } from "@tenrec/testkit/server";
import { unpackTar, writeFolder } from "@tenrec/vfs/folder";
import { outcome } from "tenrec/view";
import { expect, test } from "vitest";
import { tour } from "../src/tour.ts";
import { type Started, withStarter } from "./with-starter.ts";

const END = "Press Ctrl+C to stop.";
/** workerd, wrangler and the bundler beside the other tests on two cores. In milliseconds. */
const SLOW = 180_000;

async function takenPort(): Promise<{ port: number; close: () => void }> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return { port: typeof address === "object" && address ? address.port : 0, close: () => server.close() };
}

/** Writes the session's files to this machine's disk. */
async function download(started: Started, folder: string): Promise<void> {
  await writeFolder(folder, unpackTar(await started.agent().session(started.session()).files.export()));
}

/** Milliseconds until a program that has watched and stopped to is over: the close of its socket must be answered. */
function stopsWatchingIn(started: Started): number {
  const address = `${started.url().origin}/agents/coder/starter`;
  const token = new URLSearchParams(started.url().hash.slice(1)).get("token") ?? "";
  const program = `
    import { connect } from "@tenrec/runtime/client";
    const session = connect(${JSON.stringify(address)}, { token: ${JSON.stringify(token)} }).session(${JSON.stringify(started.session())});
    for await (const event of session.watch()) if (event.type === "turn-end") break;
    const left = Date.now();
    process.on("exit", () => console.log(Date.now() - left));`;
  const args = ["--conditions=tenrec-source", "--input-type=module", "--eval", program];
  const cwd = join(import.meta.dirname, "..");
  return Number(execFileSync(process.execPath, args, { cwd, encoding: "utf8" }));
}

test("plays a session whose result works, and keeps it for the next start", { timeout: SLOW }, async () => {
  await using starter = withStarter();
  const first = starter.start();
  const output = await first.says(END);
  expect(output).toMatch(/^No key for a model is set, so a script plays the model/);
  expect(output).toMatch(/Tenrec is running at http:\/\/localhost:\d+\/#token=[\w-]{43}&session=[\w-]{36}\n/);
  expect(output).toContain("3 files changed, +25 −1");
  expect(output).toContain("6 model calls, 10 tool calls, no containers");
  expect(output).toContain("$0.00, scripted model");
  expect(output).not.toMatch(/wrangler|warning|✗/i);
  expect(statSync(join(starter.folder, ".dev.vars")).mode & 0o777).toBe(0o600);

  const session = first.agent().session(first.session());
  const results = (await session.history()).filter(
    (event): event is ToolResultEvent & typeof event => event.type === "tool-result",
  );
  expect(results.map(({ toolName }) => toolName).sort()).toEqual([
    "bash",
    "edit",
    "edit",
    "glob",
    "grep",
    "read",
    "read",
    "todo",
    "todo",
    "write",
  ]);
  expect(results.filter((result) => !outcome(result).ok)).toEqual([]);
  expect((await session.files.diff()).map(({ path, change }) => [path, change])).toEqual([
    ["/src/app/app.ts", "modify"],
    ["/src/app/format-duration.test.ts", "create"],
    ["/src/app/format-duration.ts", "modify"],
  ]);
  const listed = (await session.files.list()).map(({ path }) => path);
  expect(listed).toContain("/wrangler.jsonc");
  expect(listed.filter((path) => /dev\.vars|node_modules|\.wrangler/.test(path))).toEqual([]);

  expect(stopsWatchingIn(first)).toBeLessThan(5000);

  // Where .gitignore keeps it from the next start.
  const folder = join(starter.folder, ".cache/result");
  await download(first, folder);
  const node = (...args: string[]): string => execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  expect(node("--test", "src/app/format-duration.test.ts")).toMatch(/pass 7\b/);
  const ask = (path: string): unknown =>
    JSON.parse(
      node(
        "--input-type=module",
        "--eval",
        `const { app } = await import("./src/app/app.ts");
         console.log(await app(new Request("http://x${path}")).text());`,
      ),
    );
  expect(ask("/api/health")).toEqual({ ok: true });
  expect(ask("/api/status")).toEqual({ status: "ok", uptime: "0s" });
  expect(readFileSync(join(starter.folder, "src/app/format-duration.ts"), "utf8")).toContain("${hours}h ${minutes}m");
  expect(await first.end("SIGINT")).toBe(0);

  // With a model behind a real endpoint this time.
  await using server = await serve();
  const second = starter.start([], { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: "sk-right" });
  const again = await second.says(END);
  expect(again).toMatch(/^The model is openai-compatible\/tour, because of OPENAI_BASE_URL/);
  expect(again).toContain("3 files changed, +25 −1");
  expect(again).toContain("cost unknown");
  expect(again).not.toContain("sk-right");
  expect((await second.agent().sessions.list()).map(({ id }) => id)).toEqual([first.session(), second.session()]);
  expect(await second.end("SIGTERM")).toBe(0);
});

test("a turn that was stopped in its middle goes on at the next start", { timeout: SLOW }, async () => {
  await using starter = withStarter();
  const first = starter.start();
  await first.says("✓ read");
  expect(await first.end("SIGINT")).toBe(0);
  expect(first.output()).toMatch(/Stopping\.\nThe turn goes on at the next start\.\n$/);
  const second = starter.start(["--no-run"]);
  await second.says(END);
  const session = second.agent().session(first.session());
  for await (const event of session.watch()) if (event.type === "turn-end") break;
  expect((await session.files.diff()).map(({ path }) => path)).toHaveLength(3);
});

async function serve(): Promise<AsyncDisposable & { url: string }> {
  const { url, close } = await listen(modelServer([tour], { apiKey: "sk-right" }));
  return { url, [Symbol.asyncDispose]: close };
}

test(
  "--no-run leaves the first prompt to the page; a wrong key does not stop the server",
  { timeout: SLOW },
  async () => {
    await using starter = withStarter();
    await using server = await serve();
    const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: "sk-wrong" };
    const quiet = starter.start(["--no-run"], { ...env, TENREC_MODEL: "openai-compatible/tour" });
    await quiet.says(END);
    const session = quiet.agent().session(quiet.session());
    expect(await session.history()).toEqual([]);
    expect((await session.files.list()).length).toBeGreaterThan(20);
    await session.submit("Hello", { operationId: "hello" });
    expect(await session.wait("hello")).toMatchObject({
      reason: "failed",
      message: expect.stringContaining("The key was refused"),
    });
    const page = await fetch(quiet.url());
    expect(await page.text()).toContain("/page.js");
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(
      (await fetch(new URL("/agents/coder/starter/api/sessions.list", quiet.url()), { method: "POST" })).status,
    ).toBe(401);
    expect(await quiet.end("SIGHUP")).toBe(0);
  },
);

test("says in words why it cannot run, and ends with 1", { timeout: SLOW }, async () => {
  await using starter = withStarter();
  const taken = await takenPort();
  const busy = starter.start(["--port", String(taken.port)]);
  expect(await busy.exit).toBe(1);
  expect(busy.output()).toMatch(new RegExp(`^\\nPort ${taken.port} cannot be used: it is taken`));
  taken.close();

  appendFileSync(join(starter.folder, "src/index.ts"), 'throw new Error("boom");\n');
  const broken = starter.start();
  expect(await broken.exit).toBe(1);
  expect(broken.output()).toMatch(
    /^\nThe Worker could not be started: [^]*Uncaught Error: boom[^]*More is in .*state\.log\.\n$/,
  );
  expect(broken.output()).not.toMatch(/^ {4}at .*wrangler-dist/m);
});
