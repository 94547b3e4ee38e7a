import { createContexts } from "./contexts.ts";
import { EndlessLoopError, ownStackFormat, takeStack } from "./endless-loop-error.ts";

/**
 * Ends what does not end. Locally nobody else does: workerd keeps to no limit of time, and an app in a loop would stop all that
 * runs beside it. Where the platform has limits, its clock stands still while code runs, so that nothing happens here.
 */

interface StepClock {
  /** Milliseconds; 0 outside of any request. */
  now(): number;
  /** Calls back once the event loop has come round, unless the request that runs has ended by then. Throws outside of any. */
  later(run: () => void): void;
  /** Ends what the platform runs at the moment, so that this does not return; where nothing can be ended, it does. */
  end(reason: string): void;
}

/** What the guard answers to. */
export interface StepGuard {
  /** At each turn of a loop and each entry of a function. Once there were too many without a pause, nothing gets past it. */
  readonly step: () => void;
  /** Something new begins: a request. */
  readonly restart: () => void;
  /** Why nothing gets past a step any more; undefined while something does. */
  readonly stopped: () => Error | undefined;
}

/** How far apart two looks at the clock should be. In milliseconds. */
const NEAR = 2;
const FAR = 20;
const MOST_BETWEEN = 10_000;
/** Fewer steps without a look need none, so that a short request has no cost. */
const FIRST = 10;
/** Outside of requests the clock stands still, so steps are counted. */
const MOST_AT_START = 20_000_000;
/** How many looks in a row may fail because the stack is full, as it always is deep in a recursion that catches that. */
const MOST_FAILED = 100_000;

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
  let failed = 0;
  /** Why it is over; from then on nothing gets past a step. */
  let over: string | undefined;
  let told: Error | undefined;
  let isOutside = false;

  const restart = (): void => {
    if (over !== undefined) return;
    last = undefined;
    busy = 0;
    next = FIRST;
  };
  /** What is not ours may be what the app has put in its place, and come here again. */
  const outside = (run: () => void): void => {
    isOutside = true;
    try {
      run();
    } catch {
      // The app has broken it, and there is a way without.
    } finally {
      isOutside = false;
    }
  };
  /** For good: an app that goes on after it was cut off is in no state that it has been written for. */
  const stop = (what: string): never => {
    over = what;
    next = 0;
    if (!told) {
      const error = new EndlessLoopError(what);
      outside(() => takeStack(error, step));
      told = error;
    }
    if (clock.now() !== 0) clock.end(`${told.name}: ${told.message}`);
    throw told;
  };
  const look = (): void => {
    if (isOutside) throw new EndlessLoopError("it runs in what was called to stop it");
    if (over !== undefined) stop(over);
    const now = clock.now();
    if (now === 0) {
      atStart += steps;
      next = MOST_BETWEEN;
      if (atStart > MOST_AT_START) stop("its modules took too many steps to start");
      return;
    }
    const gap = last === undefined ? 0 : now - last;
    // Who was to be told of the pause may have ended before it, so another one is asked after each gap that could have been one.
    if (last === undefined || gap > FAR) outside(() => clock.later(restart));
    busy += Math.min(gap, longest);
    if (last === undefined) next = 1;
    else if (gap > FAR) next = Math.max(1, next >> 2);
    else if (gap < NEAR) next = Math.min(MOST_BETWEEN, next * 2);
    last = now;
    if (busy > limit) stop(`it ran for more than ${limit} ms without a pause`);
  };
  const step = (): void => {
    if (++steps < next) return;
    if (++failed > MOST_FAILED) over ??= "it ran into the end of the stack again and again";
    look();
    // Where the stack was too full to look, the next step does.
    steps = 0;
    failed = 0;
  };
  return { step, restart, stopped: () => told ?? (over === undefined ? undefined : new EndlessLoopError(over)) };
}

/** What the platform's own parts of an app tell the guard. */
export interface InstalledGuard {
  /**
   * A request, or a run of a schedule, begins. Only its own context, which the platform has made, can say so, and only once.
   * Returns why the app was stopped before, if it was.
   */
  readonly begin: (context: unknown) => Error | undefined;
  /** An object is made, with this context. */
  readonly adopt: (context: unknown) => void;
}

/** Gives the app its `tnr$`, which each step calls. */
export function installStepGuard(limit: number): InstalledGuard {
  // An app may have clocks of its own.
  const { now } = Date;
  const later = setTimeout;
  const contexts = createContexts(() => now());
  const guard = createStepGuard(limit, {
    now: () => now(),
    later: (run) => void later(run, 0),
    end: contexts.end,
  });
  ownStackFormat(() => guard.stopped() !== undefined);
  Object.defineProperty(globalThis, "tnr$", { value: guard.step });
  return {
    begin: (context) => {
      if (contexts.isNew(context)) guard.restart();
      return guard.stopped();
    },
    adopt: contexts.adopt,
  };
}
