import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

/** A thread has to load everything first, which takes as long as so many seeds. */
const SEEDS_PER_THREAD = 100;

/**
 * Plays `count` seeds from `first` on, on all processors. With `untilFirst` it ends at the lowest seed that violates something.
 * Resolves with sums, and with `found`: `{ seed, violations }` for each seed that violates invariants, lowest first.
 */
export async function playSeeds(first, count, { untilFirst = false } = {}) {
  const threads = Math.max(1, Math.min(availableParallelism(), Math.ceil(count / SEEDS_PER_THREAD)));
  // Threads play in turns: none goes on past this one.
  const last = new Int32Array(new SharedArrayBuffer(4)).fill(count - 1);
  const play = (start) => playInThread({ first, start, stride: threads, last, untilFirst });
  const parts = await Promise.all(Array.from({ length: threads }, (_, start) => play(start)));
  const sum = (name) => parts.reduce((total, part) => total + part[name], 0);
  const found = parts.flatMap((part) => part.found).toSorted((a, b) => a.seed - b.seed);
  return { seeds: sum("seeds"), kills: sum("kills"), steps: sum("steps"), modelCalls: sum("modelCalls"), found };
}

function playInThread(workerData) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("seed-thread.mjs", import.meta.url), { workerData });
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`a thread ended with ${code}`)));
  });
}
