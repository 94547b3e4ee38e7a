import type { StorageLike } from "@tenrec/vfs";
import { createNodeStorage } from "@tenrec/vfs/testing";

/** Runs a test on a fresh storage: on node:sqlite here, in a Durable Object by its twin with-storage.workers.ts. */
export async function withStorage<T>(run: (storage: StorageLike) => Promise<T>): Promise<T> {
  const storage = createNodeStorage();
  try {
    return await run(storage);
  } finally {
    storage.close();
  }
}
