import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ourBash } from "./with-our-bash.ts";
import { realBash, type ScriptResult } from "./with-real-bash.ts";
import { PREPARE, repositoryFiles } from "./with-repository.ts";

// What people and agents type, one script a line; one of several lines ends with a line that is blank.
const real = realBash(repositoryFiles(), PREPARE);
afterAll(() => real[Symbol.dispose]());
const ours = await ourBash(real.files, real.gitFiles);
const scripts = readFileSync(join(import.meta.dirname, "common-scripts.txt"), "utf8")
  .trimEnd()
  .split("\n");
const changes = ({ files }: ScriptResult) =>
  Object.fromEntries(Object.entries(files).filter(([path, content]) => real.files[path] !== content));

test.each(scripts)("%s", async (script) => {
  const wanted = real.run(script);
  const { stdout, exitCode, files } = await ours(script);
  expect({ stdout, exitCode, files: changes({ stdout, exitCode, files }) }).toEqual({
    ...wanted,
    files: changes(wanted),
  });
});
