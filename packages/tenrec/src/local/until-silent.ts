import { setTimeout as sleep } from "node:timers/promises";

/** What the first answer may take beside: code is compiled for it. In milliseconds. */
const FIRST_MS = 120_000;

/** Failures in a row that are silence: a computer that was asleep, or very busy, misses one. */
const FAILURES = 3;

/**
 * Asks `url` again and again, and resolves once it gave no answer three times in a row, each time for `patience`
 * milliseconds. Any status is an answer, the first may take two minutes. Between answers it waits for as long.
 */
export async function untilSilent(url: string, patience: number): Promise<void> {
  await answers(url, FIRST_MS);
  for (let failures = 0; failures < FAILURES;) {
    if (await answers(url, patience)) failures = 0;
    else failures += 1;
    if (failures === 0) await sleep(patience, undefined, { ref: false });
  }
}

async function answers(url: string, patience: number): Promise<boolean> {
  const start = performance.now();
  try {
    await fetch(url, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(patience) });
    return true;
  } catch {
    // A connection that is refused at once counts as much as one that is silent.
    await sleep(patience - (performance.now() - start));
    return false;
  }
}
