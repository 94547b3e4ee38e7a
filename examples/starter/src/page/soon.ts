/** Calls `work` once within `ms`, however often it is asked for until then; not after the signal has aborted. */
export function soon(ms: number, work: () => void, signal: AbortSignal): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      if (!signal.aborted) work();
    }, ms);
  };
}
