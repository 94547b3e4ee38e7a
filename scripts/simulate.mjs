// Plays seeds of the simulation: `npm run node -- scripts/simulate.mjs <first> <count>`. With TENREC_SEED, that one with all
// that happened in it. Ends with 1 at the first seed that violates an invariant.
import { simulate } from "../packages/runtime/src/simulation/with-run.ts";

const seed = process.env.TENREC_SEED;
const [first = 1, count = 200] = process.argv.slice(2).map(Number);
const started = performance.now();
const totals = { seeds: 0, kills: 0, steps: 0, modelCalls: 0 };
for (let next = Number(seed ?? first), end = seed ? next : first + count - 1; next <= end; next += 1) {
  const { violations, trace, ...figures } = await simulate(next);
  totals.seeds += 1;
  for (const name of ["kills", "steps", "modelCalls"]) totals[name] += figures[name];
  if (seed) console.log(trace.join("\n"));
  if (Object.keys(violations).length === 0) continue;
  console.log(`seed ${next} after ${totals.seeds} seeds:`, violations);
  process.exit(1);
}
console.log(JSON.stringify({ ...totals, seconds: Math.round((performance.now() - started) / 100) / 10 }));
