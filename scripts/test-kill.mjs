// Kills workerd at every point of the list, and runs of a store at every boundary of every scenario. The last lines are
// `N passed, N failed` and how many points are covered. TENREC_SEED repeats a run.
import { join } from "node:path";
import { runPoints } from "../test/kill/run-points.ts";
import { runTurnPoints } from "../test/kill/run-turn-points.ts";
import { coverPoints } from "./test-kill/cover.mjs";
import { runVitest } from "./test/vitest.mjs";

/** Of the simulation. */
const SEEDS = 500;

const root = join(import.meta.dirname, "..");
const seed = Number(process.env.TENREC_SEED ?? Math.floor(Math.random() * 1e9));
process.env.TENREC_SEED = `${seed}`;
process.env.TENREC_CRASH = "all";
console.log(`TENREC_SEED=${seed}`);

const start = performance.now();
const say = ({ name, owner, isCovered, violations }) => {
  const state = violations.length > 0 ? "✗" : isCovered ? "✓" : "?";
  console.log([`${state} ${owner}: ${name}`, ...violations.map((text) => `    ${text}`)].join("\n"));
};
const outcomes = [...(await runPoints(randomNumbers(seed), say)), ...(await runTurnPoints(say))];
console.log(`${((performance.now() - start) / 1000).toFixed(0)} s with workerd`);
const boundaries = await runVitest(root, ["packages/vfs/src/crash"]);

for (const owner of new Set(outcomes.map((outcome) => outcome.owner))) {
  const owned = outcomes.filter((outcome) => outcome.owner === owner);
  const covered = owned.filter(({ isCovered }) => isCovered).length;
  const violations = owned.reduce((sum, outcome) => sum + outcome.violations.length, 0);
  console.log(`${owner}: ${covered} points covered of ${owned.length} owned, ${violations} violations`);
}
const isGood = ({ isCovered, violations }) => isCovered && violations.length === 0;
const survived = new Set(outcomes.filter(isGood).map(({ name }) => name));
const covered = await coverPoints(root, { survived, firstSeed: seed, seeds: SEEDS });
const good = outcomes.filter(isGood).length;
const failed = outcomes.length - good + boundaries.failed + covered.failed;
console.log(covered.lines.join("\n"));
console.log(`${good + boundaries.passed} passed, ${failed} failed`);
console.log(covered.last);
process.exitCode = failed > 0 ? 1 : 0;

/** The same numbers for the same seed, from 0 up to 1. */
function randomNumbers(from) {
  let state = from >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
