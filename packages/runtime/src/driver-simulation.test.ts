import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Outcome, simulate } from "./simulation/with-run.ts";
import { seedsToPlay } from "./simulation/with-seeds.ts";

/** What fits beside the other tests; `scripts/simulate.mjs` plays more. */
const SEEDS = 1000;

// A slice that fails says so; here they fail by design.
beforeAll(() => void vi.spyOn(console, "error").mockImplementation(() => {}));
afterAll(() => void vi.restoreAllMocks());

test("the driver keeps its promises when it is killed, delayed, doubled and reordered anywhere", async () => {
  const total = { kills: 0, modelCalls: 0 };
  for (const seed of seedsToPlay(SEEDS)) {
    const { violations, kills, modelCalls, trace } = await simulate(seed);
    if (process.env["TENREC_SEED"]) console.log(trace.join("\n"));
    expect(violations, `TENREC_SEED=${seed} plays it again`).toEqual({});
    total.kills += kills;
    total.modelCalls += modelCalls;
  }
  // A simulation in which nothing happens would also find nothing.
  if (!process.env["TENREC_SEED"]) {
    expect(total.kills).toBeGreaterThan(SEEDS);
    expect(total.modelCalls).toBeGreaterThan(2 * SEEDS);
  }
}, 300_000);

test("a seed always plays the same", async () => {
  const played = async (seed: number): Promise<Outcome> => simulate(seed);
  for (const seed of [3, 31, 118]) expect((await played(seed)).trace).toEqual((await played(seed)).trace);
});
