import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import differences from "./known-differences.json" with { type: "json" };
import { ourBash } from "./with-our-bash.ts";
import { realBash, type ScriptResult } from "./with-real-bash.ts";
import { PREPARE, repositoryFiles } from "./with-repository.ts";

interface Difference {
  readonly script: string;
  readonly reason: string;
}

const real = await realBash(repositoryFiles(), PREPARE);
afterAll(() => real[Symbol.dispose]());
const ours = await ourBash(real.files, real.gitFiles);

const changed = ({ files }: ScriptResult): Record<string, string | undefined> => {
  const paths = [...new Set([...Object.keys(files), ...Object.keys(real.files)])].sort();
  return Object.fromEntries(
    paths.filter((path) => files[path] !== real.files[path]).map((path) => [path, files[path]]),
  );
};

describe.each<[name: string, known: readonly Difference[]]>([
  ["common", differences.tables.common],
  ["git", differences.tables.git],
])("what people and agents type, beside the real commands: %s", (name, known) => {
  const scripts = readFileSync(join(import.meta.dirname, `${name}-scripts.txt`), "utf8")
    .trimEnd()
    .split("\n");

  test("at most a twentieth is a known difference, each with its reason", () => {
    expect(known.length).toBeLessThanOrEqual(scripts.length / 20);
    for (const { script } of known) expect(scripts).toContain(script);
  });

  // The real commands are at work beside ours: that takes half the time.
  test.concurrent.each(scripts)("%s", { timeout: 60_000 }, async (script) => {
    const [wanted, got] = await Promise.all([real.run(script), ours(script)]);
    const seen = { stdout: got.stdout, exitCode: got.exitCode, files: changed(got) };
    const right = { stdout: wanted.stdout, exitCode: wanted.exitCode, files: changed(wanted) };
    // A known difference that is none any more has to leave the list.
    if (known.some((difference) => difference.script === script)) expect(seen).not.toEqual(right);
    else expect(seen).toEqual(right);
  });
});
