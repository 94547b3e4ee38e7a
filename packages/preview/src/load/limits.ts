/** What one call of an app may take. */
export interface PreviewLimits {
  /**
   * CPU time in milliseconds. The platform ends what takes longer. Locally it keeps to no limit: there the app's own loops and
   * functions end once they ran for so long without a pause.
   */
  readonly cpuMs: number;
  /** Requests that it makes itself, to its bindings too. The platform refuses more; locally nobody does. */
  readonly subRequests: number;
  /** Milliseconds until an answer begins, or a handler of an alarm or a schedule has ended. */
  readonly answerMs: number;
}

export const DEFAULT_LIMITS: PreviewLimits = { cpuMs: 5000, subRequests: 500, answerMs: 30_000 };
