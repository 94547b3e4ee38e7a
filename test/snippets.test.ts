import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { snippetsOf, writeSnippets } from "./with-snippets.ts";

const ROOT = join(import.meta.dirname, "..");
const DOCUMENTS = ["README.md", ...globSync(["packages/*/README.md", "examples/*/README.md"], { cwd: ROOT })];

test("every example in a README compiles against the packages", { timeout: 60_000 }, async () => {
  expect(DOCUMENTS.length).toBeGreaterThan(3);
  const folder = await writeSnippets(ROOT, DOCUMENTS);
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const errors = await promisify(execFile)(process.execPath, [tsc, "-p", folder], { cwd: ROOT }).then(
    () => "",
    (error: { stdout: string }) => error.stdout,
  );
  expect(errors).toBe("");
});

test("finds the modules of a document", () => {
  expect(snippetsOf("a\n```ts\nx\n```\n```sh\ny\n```\n```ts\nz\n```\n")).toEqual(["x\n", "z\n"]);
});
