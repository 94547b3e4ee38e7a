// Plays seeds of the simulation on all processors: `npm run node -- scripts/simulate.mjs <first> <count>`. With TENREC_SEED, that
// one with all that happened in it. Ends with 1 at the first seed that violates an invariant.
import { simulate } from "../packages/runtime/src/simulation/with-run.ts";
import { playSeeds } from "./simulate/play-seeds.mjs";

const seed = process.env.TENREC_SEED;
const [first = 1, count = 200] = process.argv.slice(2).map(Number);
const started = performance.now();
const { found, ...sums } = seed ? await playOne(Number(seed)) : await playSeeds(first, count, { untilFirst: true });
const [lowest] = found;
if (lowest) {
  console.log(`seed ${lowest.seed} after ${lowest.seed - (seed ?? first) + 1} seeds:`, lowest.violations);
  process.exitCode = 1;
} else console.log(JSON.stringify({ ...sums, seconds: Math.round((performance.now() - started) / 100) / 10 }));

async function playOne(wanted) {
  const { violations, trace, kills, steps, modelCalls } = await simulate(wanted);
  console.log(trace.join("\n"));
  const found = Object.keys(violations).length > 0 ? [{ seed: wanted, violations }] : [];
  return { seeds: 1, kills, steps, modelCalls, found };
}
