// Plays every so many-th seed, and tells what came of them.
import { parentPort, workerData } from "node:worker_threads";
import { simulate } from "../../packages/runtime/src/simulation/with-run.ts";

const { first, start, stride, last, untilFirst } = workerData;
const sums = { seeds: 0, kills: 0, steps: 0, modelCalls: 0 };
const found = [];
// A slice whose object is killed says so.
console.error = () => {};
for (let index = start; index <= Atomics.load(last, 0); index += stride) {
  const { seed, violations, kills, steps, modelCalls } = await simulate(first + index);
  sums.seeds += 1;
  sums.kills += kills;
  sums.steps += steps;
  sums.modelCalls += modelCalls;
  if (Object.keys(violations).length === 0) continue;
  found.push({ seed, violations });
  if (!untilFirst) continue;
  if (index < Atomics.load(last, 0)) Atomics.store(last, 0, index);
  break;
}
parentPort.postMessage({ ...sums, found });
