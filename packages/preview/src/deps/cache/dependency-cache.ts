/**
 * Keeps what was fetched and made. Everything in it can be fetched or made again, so it may forget at any time. What belongs
 * to a key never changes.
 */
export interface DependencyCache {
  get(key: string): Promise<Uint8Array | undefined>;
  /** The bytes are the cache's from now on. What cannot be kept, such as when storage is full, is not kept: no error. */
  put(key: string, bytes: Uint8Array): Promise<void>;
}
