/** Fails a contract case with a sentence about what was expected. */
export function check(holds: boolean, expectation: string): asserts holds {
  if (!holds) throw new Error(`expected ${expectation}`);
}

/** What a promise rejects with, or a failed case when it resolves. */
export async function rejection(promise: Promise<unknown>, expectation: string): Promise<unknown> {
  const outcome = await promise.then(
    () => ({ rejected: false, reason: undefined as unknown }),
    (reason: unknown) => ({ rejected: true, reason }),
  );
  check(outcome.rejected, expectation);
  return outcome.reason;
}

/** What a promise resolves with, or a failed case when it rejects. */
export async function resolution<T>(promise: Promise<T>, expectation: string): Promise<T> {
  try {
    return await promise;
  } catch (cause) {
    throw new Error(`expected ${expectation}`, { cause });
  }
}

/** Fails a case that is not over in `ms`, instead of waiting for a test runner's own limit. */
export async function within<T>(ms: number, promise: Promise<T>, expectation: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`expected ${expectation} within ${ms} ms`)), ms);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
