import type { Bucket } from "./bucket.ts";
import { createMemoryBucket } from "./testing/memory-bucket.ts";

/** An empty bucket: in memory here, one of R2 by its twin with-bucket.workers.ts; and the keys that are in it. */
export async function openBucket(): Promise<{ bucket: Bucket; keys: () => Promise<string[]> }> {
  const bucket = createMemoryBucket();
  return { bucket, keys: async () => bucket.keys() };
}
