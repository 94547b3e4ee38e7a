// Takes the guards of the loop out, one at a time, and counts after how many seeds the simulation notices:
// `npm run node -- scripts/sabotage-turns.mjs`. Ends with 1 when one is not missed within 1,000 seeds, or is not found in the source.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { GUARDS, withoutGuard } from "./sabotage/guards.mjs";

const SEEDS = 1000;
/** Far more than all seeds take; a guard whose lack hangs the loop for good must be found otherwise. In milliseconds. */
const TIMEOUT_MS = 15 * 60_000;

function play(guard) {
  for (const [file] of guard.edits) withoutGuard(guard, file, readFileSync(file, "utf8"));
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      "--conditions=tenrec-source",
      "--import=./scripts/sabotage/without-guard.mjs",
      "scripts/simulate.mjs",
      "1",
      `${SEEDS}`,
    ],
    {
      encoding: "utf8",
      timeout: TIMEOUT_MS,
      env: { ...process.env, TENREC_WITHOUT_GUARD: guard.name, TENREC_SEED: "" },
    },
  );
  const [, seeds, found = ""] = /^seed \d+ after (\d+) seeds: (.*)/ms.exec(stdout) ?? [];
  if (seeds === undefined && !/^\{"seeds":/m.test(stdout)) throw new Error(`"${guard.name}" did not play: ${stderr}`);
  return { seeds, invariants: [...new Set(found.match(/\bI\d+(?=:)/g))].join(" ") };
}

const wanted = process.argv[2];
let survived = 0;
console.log("| without: | noticed after seeds | by |\n|---|---|---|");
for (const guard of GUARDS.filter(({ name }) => !wanted || name.includes(wanted))) {
  const { seeds, invariants } = play(guard);
  if (seeds === undefined) survived += 1;
  console.log(`| ${guard.name} | ${seeds ?? `not within ${SEEDS}`} | ${invariants} |`);
}
console.log(`${survived} of them not noticed`);
process.exitCode = survived > 0 ? 1 : 0;
