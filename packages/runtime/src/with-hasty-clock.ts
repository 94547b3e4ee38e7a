import type { Clock } from "@tenrec/protocol";

/** Up to here a sleep is a wait between tries, which is over at once. In milliseconds. */
const WAIT_MS = 60_000;

export interface HastyClock extends Clock {
  /** How long was slept between tries, in the order of the sleeps. In milliseconds. */
  readonly waits: readonly number[];
}

/**
 * Real time until somebody sleeps: then it jumps ahead. Waits between tries are over at once; longer sleeps, those of
 * watchdogs and ceilings, are `speed` times as fast, since something real races with them. By default a model has 15
 * seconds for its first word, which it has also on a busy machine.
 */
export function hastyClock(speed = 20): HastyClock {
  const waits: number[] = [];
  let ahead = 0;
  const now = (): number => Date.now() + ahead;
  return {
    waits,
    now,
    sleep(ms, signal) {
      const due = now() + ms;
      if (ms <= WAIT_MS) waits.push(ms);
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const onAbort = (): void => {
          clearTimeout(timer);
          reject(signal?.reason);
        };
        const wake = (): void => {
          signal?.removeEventListener("abort", onAbort);
          ahead = Math.max(ahead, due - Date.now());
          resolve();
        };
        const timer = setTimeout(wake, ms <= WAIT_MS ? 0 : ms / speed);
        signal?.addEventListener("abort", onAbort, { once: true });
      });
    },
  };
}
