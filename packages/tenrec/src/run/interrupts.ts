import { constants } from "node:os";
import { EXIT } from "../cli/exit-code.ts";

/** npm passes Ctrl-C on to a process that the terminal has told as well: one press may arrive twice. In milliseconds. */
const SAME_PRESS_MS = 500;

/**
 * Aborted by the first Ctrl-C. A second one calls `leave`, and so do, at once, the signals that end a process: what it is
 * to leave with is the exit code.
 */
export function onInterrupts(leave: (code: number) => void): AbortSignal {
  const stop = new AbortController();
  let first: number | undefined;
  process.on("SIGINT", () => {
    first ??= performance.now();
    if (performance.now() - first > SAME_PRESS_MS) leave(EXIT.interrupted);
    stop.abort();
  });
  for (const signal of ["SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => leave(128 + constants.signals[signal]));
  }
  return stop.signal;
}

/** What Ctrl-C ends before there is a turn to stop. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** `work`, or a rejection with `Interrupted` as soon as `stop` aborts. */
export async function unlessStopped<T>(work: Promise<T>, stop: AbortSignal): Promise<T> {
  const stopped = Promise.withResolvers<never>();
  const onAbort = (): void => stopped.reject(new Interrupted("stopped"));
  if (stop.aborted) onAbort();
  stop.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, stopped.promise]);
  } finally {
    stop.removeEventListener("abort", onAbort);
    stopped.promise.catch(() => {});
  }
}
