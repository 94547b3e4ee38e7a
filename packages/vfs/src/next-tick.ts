import { setImmediate } from "node:timers";

/** A turn of the event loop: others get to run. It takes about a millisecond in workerd. */
export function nextTick(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}
