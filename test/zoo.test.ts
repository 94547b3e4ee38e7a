import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { readText, root } from "./structure/list-files.ts";
import { ZOO } from "./zoo/zoo-apps.ts";

const run = promisify(execFile);

/** Those whose checks wait for seconds are left to the whole suite. */
const SLOW = new Set(["reminders", "imports", "react-api"]);

// What the answers are under wrangler dev is in the checks; whether it still is so, the whole suite says.
test("apps answer in a preview as they do under wrangler dev", async () => {
  const apps = ZOO.filter(({ name, template }) => template === undefined && !SLOW.has(name));
  const names = apps.map(({ name }) => name);
  const script = join(root, "scripts", "test-zoo.mjs");
  const args = ["--conditions=tenrec-source", script, "--preview-only", ...names];
  const { stdout } = await run(process.execPath, args, { cwd: root }).catch(
    (error: { stdout?: string; message: string }) => ({
      stdout: error.stdout ?? error.message,
    }),
  );
  const checks = apps.reduce((sum, app) => sum + app.checks.length, 0);
  expect(stdout.split("\n").filter((line) => / different {2}/.test(line))).toEqual([]);
  expect(stdout.trimEnd()).toMatch(new RegExp(`\\n${checks} passed, 0 failed$`));
}, 120_000);

test("the README of the package lists every app", () => {
  const readme = readText("packages/preview/README.md");
  const own = ZOO.filter(({ template }) => template === undefined).map(({ name }) => name);
  expect(own.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});
