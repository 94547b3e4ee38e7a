import { capture } from "../toolchain/capture.mjs";
import { steps } from "./steps.mjs";

/** Runs all steps, whichever fail, with a line for each; resolves with `{ passed, failed }`. */
export async function runSteps(root) {
  const env = { ...process.env, PATH: `${root}/node_modules/.bin:${process.env.PATH}` };
  let failed = 0;
  for (const { name, command, fix } of steps) {
    const start = performance.now();
    const { code, output } = await capture(command[0], command.slice(1), { cwd: root, env });
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${code === 0 ? "✓" : "✗"} ${name} (${seconds} s)`);
    if (code === 0) continue;
    failed += 1;
    console.log(`\n${output}\n${fix ? `\nTo mend it: ${fix}\n` : ""}`);
  }
  return { passed: steps.length - failed, failed };
}
