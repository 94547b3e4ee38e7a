import { TenrecError } from "@tenrec/protocol";

/**
 * What `run` resolves with, unless that takes longer than `ms`: then its signal is aborted, and this throws `timeout` with
 * `what`, whatever becomes of it.
 */
export async function withinTime<T>(ms: number, what: string, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const stop = new AbortController();
  const timer = setTimeout(() => {
    const error = new TenrecError("timeout", { what, ms });
    reject(error);
    stop.abort(error);
  }, ms);
  try {
    const work = run(stop.signal);
    // Nobody waits for it once it is late.
    work.catch(() => undefined);
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
