/** Time, as a port: what waits or compares times takes it as a parameter, so that a test can move it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. Never goes back within one process. */
  now(): number;
  /**
   * Resolves after at least `ms` milliseconds; at once for 0 or less. Rejects with `signal.reason` as soon as the signal
   * aborts, also when it was aborted before the call.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
