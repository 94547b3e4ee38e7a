import type { DependencyCache } from "./dependency-cache.ts";

/** In memory, at most so many bytes; the longest unused goes first. */
export function memoryCache(maxBytes: number): DependencyCache {
  const entries = new Map<string, Uint8Array>();
  let size = 0;
  const remove = (key: string): void => {
    size -= entries.get(key)?.length ?? 0;
    entries.delete(key);
  };
  return {
    get(key) {
      const bytes = entries.get(key);
      // A map is in the order of insertion.
      if (bytes && entries.delete(key)) entries.set(key, bytes);
      return Promise.resolve(bytes);
    },
    put(key, bytes) {
      remove(key);
      if (bytes.length > maxBytes) return Promise.resolve();
      entries.set(key, bytes);
      size += bytes.length;
      for (const oldest of entries.keys()) {
        if (size <= maxBytes) break;
        remove(oldest);
      }
      return Promise.resolve();
    },
  };
}
