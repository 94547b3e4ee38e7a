import type { Clock } from "@tenrec/protocol";
import type { ClockSubject } from "@tenrec/protocol/testing";
import { clockCases } from "@tenrec/protocol/testing";
import { expect, test } from "vitest";
import { wallClock } from "../wall-clock.ts";
import { manualClock } from "./manual-clock.ts";
import { canFail, keepsContract } from "./with-cases.ts";

function manual(): ClockSubject {
  const clock = manualClock(1_000);
  return { clock, advance: clock.advance };
}

keepsContract("manualClock", clockCases, manual);
keepsContract("wallClock", clockCases, () => ({
  clock: wallClock(),
  advance: (ms) => new Promise((resolve) => setTimeout(resolve, ms + 5)),
}));

/** A manual clock whose sleep is another. */
function sleepingAs(sleep: (clock: Clock, ...args: Parameters<Clock["sleep"]>) => Promise<void>): () => ClockSubject {
  return () => {
    const { clock, advance } = manual();
    return { clock: { now: () => clock.now(), sleep: (ms, signal) => sleep(clock, ms, signal) }, advance };
  };
}

const stopped = manual();
canFail(clockCases, {
  "now does not go back, and passes with time": () => ({ ...manual(), clock: { ...stopped.clock, now: () => 0 } }),
  "sleep waits until the time has passed": sleepingAs(async () => {}),
  "sleep does not resolve early": sleepingAs(async () => {}),
  "sleep for 0 or less resolves at once": sleepingAs((clock, ms, signal) => clock.sleep(Math.max(1, ms), signal)),
  "sleeps end in the order in which they are due": sleepingAs((clock, ms) => clock.sleep(70 - ms)),
  "an abort ends a sleep with its reason": sleepingAs((clock, ms, signal) =>
    clock.sleep(ms, signal).catch(() => Promise.reject(new Error("aborted"))),
  ),
  "a signal that is aborted already rejects, whatever the time": sleepingAs((clock, ms, signal) =>
    ms > 0 ? clock.sleep(ms, signal) : Promise.resolve(),
  ),
});

test("advance stops at each sleep, so that what it wakes can sleep again", async () => {
  const clock = manualClock();
  const seen: number[] = [];
  const ticking = (async () => {
    for (let i = 0; i < 3; i++) {
      await clock.sleep(10);
      seen.push(clock.now());
    }
  })();
  await clock.advance(25);
  expect(seen).toEqual([10, 20]);
  expect([clock.now(), clock.waiting]).toEqual([25, 1]);
  await clock.advance(5);
  await ticking;
  expect(seen).toEqual([10, 20, 30]);
});
