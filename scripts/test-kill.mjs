// Kills workerd at every point of the list, aborts objects in it, plays seeds, and runs a store up to every boundary of every
// scenario; `--help` says more. The last lines are `N passed, N failed`, and how many points are covered.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { INVARIANTS } from "../packages/runtime/src/simulation/with-invariants.ts";
import { ranTests } from "../test/kill/cover-points.ts";
import { isGood, reportOf } from "../test/kill/report.ts";
import { runPoints } from "../test/kill/run-points.ts";
import { runPreviewPoints } from "../test/kill/run-preview-points.ts";
import { runTurnPoints } from "../test/kill/run-turn-points.ts";
import { selectPoints } from "../test/kill/select-points.ts";
import { playSeeds } from "./simulate/play-seeds.mjs";
import { runVitest } from "./test/vitest.mjs";

const HELP = `npm run test:kill [-- <point> …]

Shows that a turn survives its deaths: kills workerd at every point of a list and starts it again on the same storage, aborts
objects in workerd, plays seeds of the simulation, and kills a store at every boundary. Without points, all of it: minutes.

  <point>   K1 to K28, with all that shows it; or words of the name of a point at which workerd is killed
  --help    this text

TENREC_SEED repeats a run. The last line: points covered of points owned, and violations of each invariant.`;

/** Of the simulation. */
const SEEDS = 10_000;

const root = join(import.meta.dirname, "..");
const selection = chosen();
if (selection) process.exitCode = (await run(selection)) > 0 ? 1 : 0;

/** What the arguments choose. Undefined when they ask for help, or are wrong. */
function chosen() {
  try {
    const options = { help: { type: "boolean", short: "h" } };
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (!values.help) return selectPoints(positionals);
    console.log(HELP);
  } catch (error) {
    console.error(`${error.message}\n\n${HELP}`);
    process.exitCode = 2;
  }
}

/** Resolves with the number of failures. */
async function run({ kills, points, loops, turns, previews, files, isSimulated }) {
  const seed = Number(process.env.TENREC_SEED ?? Math.floor(Math.random() * 1e9));
  process.env.TENREC_SEED = `${seed}`;
  process.env.TENREC_CRASH = "all";
  console.log(`TENREC_SEED=${seed}`);
  const start = performance.now();
  const outcomes = [];
  if (points.length + loops.length > 0)
    outcomes.push(...(await runPoints({ points, loops }, randomNumbers(seed), say)));
  if (turns.length > 0) outcomes.push(...(await runTurnPoints(turns, say)));
  if (previews.length > 0) outcomes.push(...(await runPreviewPoints(previews, randomNumbers(seed), say)));
  if (outcomes.length > 0) console.log(`${((performance.now() - start) / 1000).toFixed(0)} s with workerd`);

  const vitest = files.length > 0 ? await runVitest(root, files) : { passed: 0, failed: 0 };
  const tests = files.length > 0 ? ranTests(vitestReport(), root) : { passed: [], failed: [] };
  const simulated = isSimulated ? await simulate(seed) : {};

  const { lines, last, failed: uncovered } = reportOf(kills, { tests, outcomes, simulated });
  const good = outcomes.filter(isGood).length;
  const failed = outcomes.length - good + vitest.failed + uncovered;
  console.log([...lines, `${good + vitest.passed} passed, ${failed} failed`, last].join("\n"));
  return failed;
}

function say({ name, owner, isCovered, violations }) {
  const state = violations.length > 0 ? "✗" : isCovered ? "✓" : "?";
  console.log([`${state} ${owner}: ${name}`, ...violations.map((text) => `    ${text}`)].join("\n"));
}

/** What the seeds violate, by invariant. */
async function simulate(firstSeed) {
  const started = performance.now();
  const { seeds, kills, found } = await playSeeds(firstSeed, SEEDS);
  console.log(`${seeds} seeds with ${kills} deaths, ${((performance.now() - started) / 1000).toFixed(0)} s`);
  const violations = Object.fromEntries(Object.keys(INVARIANTS).map((name) => [name, []]));
  for (const { seed, violations: wrong } of found) {
    for (const [name, texts] of Object.entries(wrong)) {
      violations[name].push(...texts);
      console.log(`TENREC_SEED=${seed} violates ${name}: ${texts[0]}`);
    }
  }
  return violations;
}

function vitestReport() {
  const file = join(root, ".cache", "reports", "vitest.json");
  // A run that wrote none counts as failed already.
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { testResults: [] };
}

/** The same numbers for the same seed, from 0 up to 1. */
function randomNumbers(from) {
  let state = from >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
