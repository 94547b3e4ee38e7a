const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** npm passes Ctrl+C on to a process that the terminal has told as well: one press may arrive twice. In milliseconds. */
const SAME_PRESS_MS = 500;

/** Aborted by the first signal to stop; a second one ends the process at once. */
export function onStopSignal(): AbortSignal {
  const stop = new AbortController();
  let first: number | undefined;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      first ??= Date.now();
      if (Date.now() - first > SAME_PRESS_MS) process.exit(1);
      stop.abort();
    });
  }
  return stop.signal;
}
