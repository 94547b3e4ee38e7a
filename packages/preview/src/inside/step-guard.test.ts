import { describe, expect, test } from "vitest";
import { createStepGuard } from "./step-guard.ts";

/** A guard with a limit of a second, whose clock goes on by so much at each step. */
function guardWith(
  msPerStep: number,
  start = 1000,
): { steps(count: number): number; turn(): void; pass(ms: number): void } {
  let now = start;
  let later: (() => void) | undefined;
  const guard = createStepGuard(1000, { now: () => now, later: (run) => void (later = run) });
  return {
    /** How many of these steps were made before one failed. */
    steps(count) {
      for (let step = 0; step < count; step += 1) {
        now += msPerStep;
        try {
          guard.step();
        } catch {
          return step;
        }
      }
      return count;
    },
    /** The event loop comes round. */
    turn: () => later?.(),
    pass: (ms) => void (now += ms),
  };
}

describe("steps without a pause", () => {
  test.each([0.001, 0.1, 10, 300])("of %s ms each end after about the limit", (ms) => {
    const guard = guardWith(ms);
    const made = guard.steps(10_000_000) * ms;
    expect(made).toBeGreaterThan(1000);
    // Heavy steps are found out by looking more and more often.
    expect(made).toBeLessThan(Math.max(2500, ms * 250));
  });

  test("fail from then on, until the event loop has come round", () => {
    const guard = guardWith(1);
    guard.steps(1_000_000);
    expect(guard.steps(10)).toBe(0);
    guard.turn();
    expect(guard.steps(900)).toBe(900);
  });

  test("fail no more after a long time, also if nobody was told that the loop came round", () => {
    const guard = guardWith(1);
    guard.steps(1_000_000);
    guard.pass(60_000);
    expect(guard.steps(900)).toBe(900);
  });
});

test("steps with pauses never end", () => {
  const guard = guardWith(1);
  for (let n = 0; n < 100; n += 1) {
    expect(guard.steps(900)).toBe(900);
    guard.turn();
  }
});

test("a pause of which nobody was told counts as one look", () => {
  const guard = guardWith(0.01);
  guard.steps(1000);
  guard.pass(3_600_000);
  expect(guard.steps(900)).toBe(900);
});

test("a clock that stands still while code runs, as that of the platform, ends nothing", () => {
  expect(guardWith(0).steps(30_000_000)).toBe(30_000_000);
});

test("outside of requests, where the clock says 0, steps are counted", () => {
  expect(guardWith(0, 0).steps(30_000_000)).toBeLessThan(20_020_000);
});
