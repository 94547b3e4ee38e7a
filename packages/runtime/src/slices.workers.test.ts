import type { Clock } from "@tenrec/protocol";
import { expect, test } from "vitest";
import type { TestAgent } from "../vitest.worker.ts";
import { systemClock } from "./system-clock.ts";
import { withAgent } from "./with-agent.ts";

/** Time in which every tool call takes five minutes, so that a slice is over after each. */
function leapingClock(): Clock & { leap(): void } {
  let ahead = 0;
  return {
    now: () => systemClock.now() + ahead,
    sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 100_000), signal),
    leap() {
      ahead += 5 * 60_000;
    },
  };
}

test("a turn of an hour goes on from slice to slice, and each call is made once", async () => {
  const clock = leapingClock();
  const step = (n: number) => [{ call: "bash", input: { command: `echo ${n} >> log.txt` } }];
  const numbers = Array.from({ length: 12 }, (_, n) => n + 1);
  let instances = 0;
  const agent = await withAgent({
    says: [...numbers.map(step), [{ text: "Done." }]],
    clock,
    setup: (a: TestAgent) => {
      instances += 1;
      a.tools = (base) => {
        clock.leap();
        return base;
      };
    },
  });
  await agent.submit("go");
  expect(await agent.settle()).toMatchObject({ status: "done", text: "Done." });
  expect((await agent.read("/log.txt")).trim().split("\n")).toEqual(numbers.map(String));
  const events = await agent.events();
  const took = (events.at(-1)?.at ?? 0) - (events[0]?.at ?? 0);
  expect(took).toBeGreaterThan(60 * 60_000);
  expect(events.filter((e) => e.type === "step-start").map((e) => e.attempt)).toEqual(Array(13).fill(1));
  // Slices follow each other in one object; nothing had to die for it.
  expect(instances).toBe(1);
});
