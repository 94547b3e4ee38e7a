import { INVARIANTS } from "../../packages/runtime/src/simulation/with-invariants.ts";
import { simulate } from "../../packages/runtime/src/simulation/with-run.ts";

/**
 * Plays seeds of the simulation. Resolves with `{ deaths, violations }`: of each invariant by its name, a text for each
 * violation.
 */
export async function playSeeds(firstSeed, seeds) {
  const violations = Object.fromEntries(Object.keys(INVARIANTS).map((name) => [name, []]));
  let deaths = 0;
  // A slice whose object is killed says so.
  const { error } = console;
  console.error = () => {};
  for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
    const outcome = await simulate(seed);
    deaths += outcome.kills;
    for (const [name, wrong] of Object.entries(outcome.violations)) {
      violations[name].push(...wrong);
      console.log(`TENREC_SEED=${seed} violates ${name}: ${wrong[0]}`);
    }
  }
  console.error = error;
  return { deaths, violations };
}
