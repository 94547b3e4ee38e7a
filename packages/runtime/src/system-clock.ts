import type { Clock } from "@tenrec/protocol";

/** The newest time that was told; the platform's own may be set back. */
let latest = 0;

/** The platform's own time. */
export const systemClock: Clock = {
  now() {
    latest = Math.max(latest, Date.now());
    return latest;
  },
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const onAbort = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        },
        Math.max(0, ms),
      );
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  },
};
