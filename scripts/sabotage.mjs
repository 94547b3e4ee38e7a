// Breaks each mechanism that keeps trees safe, one after another, and sees the crash tests fail. Changes files of
// packages/vfs/src while it runs. The last line is `N passed, N failed`. Arguments: a part of a name, and which tests to run.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { capture } from "./toolchain/capture.mjs";
import { sabotages } from "./sabotage/sabotages.mjs";

const root = join(import.meta.dirname, "..");
const [wanted = "", ...tests] = process.argv.slice(2);
const env = { ...process.env, TENREC_SEED: "1" };
let [passed, failed] = [0, 0];

for (const { name, file, edits } of sabotages.filter((sabotage) => sabotage.name.includes(wanted))) {
  const path = join(root, "packages", "vfs", "src", file);
  const original = readFileSync(path, "utf8");
  const restore = () => writeFileSync(path, original);
  const broken = edits.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`${name}: ${file} has no such text any more:\n${from}`);
    return text.replace(from, () => to);
  }, original);
  writeFileSync(path, broken);
  try {
    const vitest = join(root, "node_modules", ".bin", "vitest");
    const args = [
      "run",
      "--project",
      "vfs (node)",
      "--bail=1",
      "--reporter=dot",
      ...(tests.length > 0 ? tests : ["crash"]),
    ];
    const { code, output } = await capture(vitest, args, { cwd: root, env, cleanUp: restore });
    const noticed = code !== 0 && /Tests .*failed/.test(output);
    if (noticed) passed++;
    else failed++;
    const by = /FAIL .*/.exec(output)?.[0] ?? output.split("\n").slice(-15).join("\n");
    console.log(`${noticed ? "✓" : "✗"} ${name}${noticed ? `\n    ${by}` : ` was not noticed`}`);
  } finally {
    restore();
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
