// All checks, then all tests. The last line of the output is `N passed, N failed`, with `, N skipped` where some were.
// With arguments (`npm test -- edit`) only vitest runs, on what they select.
import { join } from "node:path";
import { runSteps } from "./check/run-steps.mjs";
import { runVitest } from "./test/vitest.mjs";

const root = join(import.meta.dirname, "..");
const args = process.argv.slice(2);

const results = [];
if (args.length === 0) results.push(await runSteps(root));
results.push(await runVitest(root, args));

const total = (key) => results.reduce((sum, result) => sum + (result[key] ?? 0), 0);
for (const { note } of results) if (note) console.log(note);
const skipped = total("skipped");
console.log(`${total("passed")} passed, ${total("failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = total("failed") > 0 ? 1 : 0;
