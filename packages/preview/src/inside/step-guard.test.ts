import { describe, expect, test } from "vitest";
import { createStepGuard, type StepGuard } from "./step-guard.ts";

interface TestGuard extends StepGuard {
  /** How many of these steps were made before one failed. */
  steps(count: number): number;
  /** The event loop comes round. */
  turn(): void;
  /** Whoever was to be told that it comes round has ended. */
  loseTurn(): void;
  pass(ms: number): void;
  /** What was ended, each time. */
  readonly ended: readonly string[];
}

/** A guard with a limit of a second, whose clock goes on by so much at each step. */
function guardWith(msPerStep: number, start = 1000): TestGuard {
  let now = start;
  let later: (() => void) | undefined;
  const ended: string[] = [];
  const end = (reason: string): void => void ended.push(reason);
  const guard = createStepGuard(1000, { now: () => now, later: (run) => void (later = run), end });
  return {
    ...guard,
    ended,
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
    turn: () => later?.(),
    loseTurn: () => (later = undefined),
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

  test.each([
    ["the event loop has come round", (guard: TestGuard) => guard.turn()],
    ["something new has begun", (guard: TestGuard) => guard.restart()],
    ["a long time", (guard: TestGuard) => guard.pass(3_600_000)],
  ])("fail from then on, also after %s", (_, happen) => {
    const guard = guardWith(1);
    guard.steps(1_000_000);
    expect(guard.steps(10)).toBe(0);
    happen(guard);
    expect(guard.steps(10)).toBe(0);
  });

  test("end what runs, and whatever runs after it, with a reason that says all", () => {
    const guard = guardWith(1);
    guard.steps(1_000_000);
    expect(guard.ended).toHaveLength(1);
    guard.steps(1);
    expect(guard.ended).toHaveLength(2);
    expect(guard.ended[1]).toMatch(
      /^EndlessLoopError: The app was stopped: it ran for more than 1000 ms without a pause\. Look for .*end\.\n    at .*step-guard\.test/,
    );
  });
});

test("steps with pauses never end", () => {
  const guard = guardWith(1);
  for (let n = 0; n < 100; n += 1) {
    expect(guard.steps(900)).toBe(900);
    guard.turn();
  }
});

test("steps with pauses never end, also when who was to be told of some of them had ended by then", () => {
  const guard = guardWith(0.1);
  for (let n = 0; n < 100; n += 1) {
    expect(guard.steps(20)).toBe(20);
    guard.loseTurn();
    guard.pass(500);
    expect(guard.steps(20)).toBe(20);
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
  const guard = guardWith(0, 0);
  expect(guard.steps(30_000_000)).toBeLessThan(20_020_000);
  // There is nothing that could be ended yet: it throws.
  expect(guard.ended).toEqual([]);
});
