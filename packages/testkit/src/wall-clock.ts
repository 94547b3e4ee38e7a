import type { Clock } from "@tenrec/protocol";

/** Real time. */
export function wallClock(): Clock {
  let latest = 0;
  return {
    now: () => (latest = Math.max(latest, Date.now())),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        if (ms <= 0) return resolve();
        const onAbort = (): void => {
          clearTimeout(timer);
          reject(signal?.reason);
        };
        const timer = setTimeout(() => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        }, ms);
        signal?.addEventListener("abort", onAbort, { once: true });
      }),
  };
}
