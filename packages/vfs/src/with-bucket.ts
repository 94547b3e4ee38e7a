import type { Bucket } from "./bucket.ts";
import { MemoryBucket } from "./crash/with-memory-bucket.ts";

/** An empty bucket: in memory here, one of R2 by its twin with-bucket.workers.ts; and the keys that are in it. */
export async function openBucket(): Promise<{ bucket: Bucket; keys: () => Promise<string[]> }> {
  const bucket = new MemoryBucket();
  return { bucket, keys: async () => [...bucket.objects.keys()].sort() };
}
