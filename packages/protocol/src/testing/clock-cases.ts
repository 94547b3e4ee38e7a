import type { Clock } from "../clock.ts";
import { check, rejection, within } from "./check.ts";
import type { ContractCase } from "./contract-case.ts";

export interface ClockSubject {
  readonly clock: Clock;
  /** Lets at least `ms` milliseconds pass on the clock, and what is due happen: moves it, or waits. */
  readonly advance: (ms: number) => Promise<void>;
}

// A timer and the time of day may be rounded apart.
const TOLERANCE_MS = 1;
/** Longer than any case takes; no case waits for it. */
const LONG_MS = 3_600_000;

type Run = (subject: ClockSubject) => Promise<void>;

const CASES: Readonly<Record<string, Run>> = {
  "now does not go back, and passes with time": async ({ clock, advance }) => {
    const before = clock.now();
    check(Number.isFinite(before), "a number");
    await advance(10);
    check(clock.now() >= before + 10 - TOLERANCE_MS, "now() to have moved by what passed");
  },
  "sleep waits until the time has passed": async ({ clock, advance }) => {
    const start = clock.now();
    let wokeAt: number | undefined;
    const sleeping = clock.sleep(20).then(() => {
      wokeAt = clock.now();
    });
    await advance(30);
    await within(1000, sleeping, "sleep(20) to resolve after 30 ms");
    check((wokeAt ?? 0) >= start + 20 - TOLERANCE_MS, "sleep(20) not to resolve before 20 ms");
  },
  "sleep does not resolve early": async ({ clock, advance }) => {
    const stop = new AbortController();
    let awake = false;
    const sleeping = clock.sleep(LONG_MS, stop.signal).then(
      () => {
        awake = true;
      },
      () => {},
    );
    await advance(10);
    check(!awake, "an hour's sleep not to be over after 10 ms");
    stop.abort();
    await within(1000, sleeping, "the sleep to end");
  },
  "sleep for 0 or less resolves at once": async ({ clock }) => {
    await within(1000, clock.sleep(0), "sleep(0) to resolve at once");
    await within(1000, clock.sleep(-5), "sleep(-5) to resolve at once");
  },
  "sleeps end in the order in which they are due": async ({ clock, advance }) => {
    const order: string[] = [];
    const sleeping = [clock.sleep(60).then(() => order.push("late")), clock.sleep(10).then(() => order.push("early"))];
    await advance(80);
    await within(1000, Promise.all(sleeping), "both sleeps to be over");
    check(order.join() === "early,late", `the earlier one first, not ${order.join()}`);
  },
  "an abort ends a sleep with its reason": async ({ clock }) => {
    const stop = new AbortController();
    const reason = new Error("enough");
    const sleeping = rejection(clock.sleep(LONG_MS, stop.signal), "an aborted sleep to reject");
    stop.abort(reason);
    check((await within(1000, sleeping, "the sleep to end")) === reason, "the signal's own reason");
  },
  "a signal that is aborted already rejects, whatever the time": async ({ clock }) => {
    const reason = new Error("before");
    const signal = AbortSignal.abort(reason);
    for (const ms of [LONG_MS, 0]) {
      const sleeping = rejection(clock.sleep(ms, signal), `sleep(${ms}) to reject`);
      check((await within(1000, sleeping, "the sleep to end")) === reason, "the signal's own reason");
    }
  },
};

export const clockCases: readonly ContractCase<ClockSubject>[] = Object.entries(CASES).map(([name, run]) => ({
  group: "Clock",
  name,
  run: async (make) => {
    await using subject = await make();
    await run(subject);
  },
}));
