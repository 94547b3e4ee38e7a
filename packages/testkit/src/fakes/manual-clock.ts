import type { Clock } from "@tenrec/protocol";

/** A clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  /** How many sleeps are waiting. */
  readonly waiting: number;
  /** Moves time on, stopping at every sleep that becomes due, so that what it wakes can sleep again within `ms`. */
  readonly advance: (ms: number) => Promise<void>;
}

interface Sleeper {
  readonly due: number;
  wake(): void;
}

/** `start` is in milliseconds since the epoch. */
export function manualClock(start = 0): ManualClock {
  let time = start;
  const sleepers = new Set<Sleeper>();
  return {
    now: () => time,
    get waiting() {
      return sleepers.size;
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        if (ms <= 0) return resolve();
        const onAbort = (): void => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const sleeper: Sleeper = {
          due: time + ms,
          wake: () => {
            sleepers.delete(sleeper);
            signal?.removeEventListener("abort", onAbort);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", onAbort, { once: true });
      }),
    advance: async (ms) => {
      const target = time + ms;
      await settle();
      for (let next = earliest(sleepers); next && next.due <= target; next = earliest(sleepers)) {
        time = next.due;
        next.wake();
        await settle();
      }
      time = target;
    },
  };
}

/** Of equal ones, the first that went to sleep. */
function earliest(sleepers: ReadonlySet<Sleeper>): Sleeper | undefined {
  return [...sleepers].reduce<Sleeper | undefined>(
    (best, one) => (best && best.due <= one.due ? best : one),
    undefined,
  );
}

// A task, not a microtask: what was woken may go through several promises and a stream before it sleeps again.
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
