import type { Bucket, BucketOptions } from "../bucket.ts";
import type { StorageLike } from "../sql.ts";
import { TreeStore } from "../tree-store.ts";
import { Killed, killableBucket, killableStorage, type KillSwitch } from "./with-kill-switch.ts";
import { type Scene, type Step, THRESHOLD } from "./with-scenarios.ts";

export function bucketOptions(bucket: Bucket, prefix = "object"): BucketOptions {
  return { bucket, prefix, threshold: THRESHOLD };
}

/** What a run of steps has in common with the one before and after it. */
export interface Run {
  readonly storage: StorageLike;
  readonly bucket: Bucket;
  readonly prefix?: string;
  readonly now: () => number;
  readonly source?: Scene["source"];
}

/** A store of its own, as after a start. With a kill switch it can die. */
export function openScene({ storage, bucket, prefix, now, source }: Run, kill?: KillSwitch): Scene {
  const ours = kill ? killableStorage(storage, kill) : storage;
  const store = new TreeStore(ours, {
    now,
    bucket: bucketOptions(kill ? killableBucket(bucket, kill) : bucket, prefix),
  });
  return { store, storage: ours, ...(source ? { source } : {}) };
}

/** The caller's own table. */
export function createJournal({ sql }: StorageLike): void {
  sql.exec("CREATE TABLE IF NOT EXISTS journal (id INTEGER PRIMARY KEY, head TEXT NOT NULL, tree TEXT NOT NULL)");
}

/** Opens a store and does the steps one after another; `onStep` hears how many are done. Ends quietly when it is killed. */
export async function runSteps(
  open: () => Scene,
  steps: readonly Step[],
  onStep: (done: number) => unknown = () => {},
): Promise<void> {
  try {
    const scene = open();
    await onStep(0);
    for (const [index, step] of steps.entries()) {
      await step(scene);
      await onStep(index + 1);
    }
  } catch (error) {
    if (!isKill(error)) throw error;
  }
}

// A bucket's failure is wrapped.
function isKill(error: unknown): boolean {
  return error instanceof Killed || (error instanceof Error && error.cause instanceof Killed);
}

/** The same numbers for the same seed, from 0 up to 1. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}
