import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const BIN = new URL("../../bin/model-server.mjs", import.meta.url).pathname;

let folder: string;
let child: ChildProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "model-server-"));
});
afterEach(async () => {
  child?.kill();
  await rm(folder, { recursive: true });
});

async function run(args: string[]): Promise<{ stdout: string; stderr: string }> {
  child = spawn(process.execPath, [BIN, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const output = { stdout: "", stderr: "" };
  child.stdout?.on("data", (bytes) => (output.stdout += String(bytes)));
  child.stderr?.on("data", (bytes) => (output.stderr += String(bytes)));
  const line = once(child.stdout ?? child, "data");
  await Promise.race([line, once(child, "close")]);
  return output;
}

test("serves a script from a file, at the URL that it prints", async () => {
  const path = join(folder, "script.json");
  await writeFile(path, JSON.stringify({ model: "demo", steps: [{ say: [{ text: "ok" }] }] }));
  const { stdout } = await run([path, "--api-key", "secret"]);
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\n$/);
  const models = (key: string): Promise<Response> =>
    fetch(`${stdout.trim()}/models`, { headers: { authorization: `Bearer ${key}` } });
  expect(await (await models("secret")).json()).toMatchObject({ data: [{ id: "demo" }] });
  expect((await models("no")).status).toBe(401);
});

test.each<[string, string[], string]>([
  ["no file", [], "usage: model-server <script.json>..."],
  ["a file that is not there", ["/no/such.json"], "no such file"],
])("says what is wrong with %s", async (_name, args, message) => {
  expect((await run(args)).stderr).toContain(message);
});
