import { createNodeStorage } from "./testing/node-storage.ts";
import type { StorageLike } from "./sql.ts";

/** Runs a test on a fresh storage: on node:sqlite here, in a Durable Object by its twin with-store.workers.ts. */
export async function withStorage<T>(run: (storage: StorageLike) => Promise<T>): Promise<T> {
  const storage = createNodeStorage();
  try {
    return await run(storage);
  } finally {
    storage.close();
  }
}
