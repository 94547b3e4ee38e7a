import type { Bucket, BucketObject } from "../bucket.ts";

/** A bucket in memory, for tests and tools. */
export interface MemoryBucket extends Bucket {
  /** Keys of its objects, sorted. */
  keys(): string[];
}

export function createMemoryBucket(): MemoryBucket {
  const objects = new Map<string, Uint8Array>();
  return {
    keys: () => [...objects.keys()].sort(),
    async get(key, options) {
      const bytes = objects.get(key);
      if (bytes === undefined) return null;
      const { offset = 0, length = bytes.length } = options?.range ?? {};
      return objectOf(bytes.subarray(offset, offset + length), bytes.length);
    },
    async put(key, value) {
      objects.set(key, value.slice());
    },
    async createMultipartUpload(key) {
      const parts = new Map<number, Uint8Array>();
      return {
        async uploadPart(partNumber, value) {
          parts.set(partNumber, value.slice());
          return { partNumber, etag: `${partNumber}` };
        },
        async complete(wanted) {
          const pieces = wanted.map(({ partNumber }) => parts.get(partNumber) ?? new Uint8Array(0));
          objects.set(key, new Uint8Array(await new Blob(pieces.map((piece) => piece.slice())).arrayBuffer()));
        },
      };
    },
    async delete(keys) {
      for (const key of keys) objects.delete(key);
    },
  };
}

function objectOf(bytes: Uint8Array, size: number): BucketObject {
  const copy = bytes.slice();
  return {
    size,
    get body() {
      return new Blob([copy]).stream();
    },
    arrayBuffer: async () => copy.buffer,
  };
}
