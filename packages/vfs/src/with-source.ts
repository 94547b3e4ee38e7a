import { MemoryBucket } from "./crash/with-memory-bucket.ts";
import { createNodeStorage } from "./testing/node-storage.ts";
import { type TreeSource, treeSource } from "./tree-source.ts";
import { TreeStore } from "./tree-store.ts";

/** A store elsewhere, with a bucket for contents above 1 MiB. */
export interface Elsewhere {
  /** Does something there. */
  enter<T>(step: (store: TreeStore) => Promise<T>): Promise<T>;
  readonly source: TreeSource;
}

/** In the same process here; in another Durable Object, reached over RPC, by its twin with-source.workers.ts. */
export async function withSource<T>(run: (elsewhere: Elsewhere) => Promise<T>): Promise<T> {
  const storage = createNodeStorage();
  const bucket = { bucket: new MemoryBucket(), prefix: "elsewhere", threshold: 1024 * 1024 };
  const store = new TreeStore(storage, { bucket });
  try {
    return await run({ enter: (step) => step(store), source: treeSource(store) });
  } finally {
    storage.close();
  }
}
