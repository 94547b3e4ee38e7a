/**
 * Ends what does not end. Locally nobody else does: workerd keeps to no limit of time, and an app in a loop would stop all that
 * runs beside it. Where the platform has limits, its clock stands still while code runs, so that nothing happens here.
 */

interface StepClock {
  /** Milliseconds; 0 outside of any request. */
  now(): number;
  /** Calls back once the event loop has come round. Throws outside of any request. */
  later(run: () => void): void;
}

/** What the guard answers to. */
export interface StepGuard {
  /** At each turn of a loop and each entry of a function. Throws once there were too many without a pause. */
  readonly step: () => void;
  /** Something new begins: a request. */
  readonly restart: () => void;
}

/** How far apart two looks at the clock should be. In milliseconds. */
const NEAR = 2;
const FAR = 20;
const MOST_BETWEEN = 10_000;
/** Fewer steps without a look need none, so that a short request has no cost. */
const FIRST = 10;
/** Outside of requests the clock stands still, so steps are counted. */
const MOST_AT_START = 20_000_000;

/** `limit` in milliseconds without a pause. */
export function createStepGuard(limit: number, clock: StepClock): StepGuard {
  /** Longer than this between two looks, something else ran: one call is rarely so long. In milliseconds. */
  const longest = limit / 5;
  let steps = 0;
  /** After so many steps the clock is looked at. */
  let next = FIRST;
  let last: number | undefined;
  let busy = 0;
  let atStart = 0;
  let isOver = false;

  const restart = (): void => {
    last = undefined;
    busy = 0;
    isOver = false;
    next = FIRST;
  };
  const fail = (what: string): never => {
    isOver = true;
    // From now on every step fails, so that what catches this error ends as well.
    next = 0;
    const error = new Error(`The app was stopped: ${what}. Look for a loop or a recursion without an end.`);
    error.name = "EndlessLoopError";
    throw error;
  };
  const look = (): void => {
    const counted = steps;
    steps = 0;
    const now = clock.now();
    if (now === 0) {
      atStart += counted;
      next = MOST_BETWEEN;
      if (atStart > MOST_AT_START) fail("its modules took too many steps to start");
      return;
    }
    if (isOver && now - (last ?? now) > longest) restart();
    if (last === undefined) {
      clock.later(restart);
      next = 1;
    } else {
      const gap = now - last;
      busy += Math.min(gap, longest);
      if (gap > FAR) next = Math.max(1, next >> 2);
      else if (gap < NEAR) next = Math.min(MOST_BETWEEN, next * 2);
    }
    last = now;
    if (isOver || busy > limit) fail(`it ran for more than ${limit} ms without a pause`);
  };
  return {
    step: () => {
      if (++steps >= next) look();
    },
    restart,
  };
}

/** Gives the app its `tnr$`, which each step calls. */
export function installStepGuard(limit: number): StepGuard {
  // An app may have clocks of its own.
  const { now } = Date;
  const later = setTimeout;
  const guard = createStepGuard(limit, { now: () => now(), later: (run) => void later(run, 0) });
  Object.defineProperty(globalThis, "tnr$", { value: guard.step });
  return guard;
}
