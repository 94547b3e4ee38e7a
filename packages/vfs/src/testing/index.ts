export { createMemoryBucket, type MemoryBucket } from "./memory-bucket.ts";
export { createNodeStorage, type NodeStorage } from "./node-storage.ts";
