import type { DependencyCache } from "./dependency-cache.ts";

type SqlValue = ArrayBuffer | string | number | null;

/** The part of `DurableObjectStorage` that the cache uses. */
export interface CacheStorageLike {
  readonly sql: {
    exec<T extends Record<string, SqlValue>>(query: string, ...bindings: (SqlValue | Uint8Array)[]): { toArray(): T[] };
  };
  transactionSync<T>(fn: () => T): T;
}

/** A deployed object takes rows of 2 MB. */
const PART_BYTES = 1_500_000;

/**
 * In the SQLite of a Durable Object, in its tables `tenrec_package_*`, at most so many bytes; the longest unused goes first.
 */
export function sqlCache(storage: CacheStorageLike, maxBytes: number): DependencyCache {
  const { sql } = storage;
  sql.exec(`CREATE TABLE IF NOT EXISTS tenrec_package_cache (
    key TEXT PRIMARY KEY, bytes INTEGER NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID`);
  sql.exec(`CREATE TABLE IF NOT EXISTS tenrec_package_parts (
    key TEXT NOT NULL, part INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY (key, part)) WITHOUT ROWID`);
  return {
    get: (key) => Promise.resolve(read(storage, key)),
    put(key, bytes) {
      try {
        if (bytes.length <= maxBytes) storage.transactionSync(() => write(storage, key, bytes, maxBytes));
      } catch {
        // A full database is no reason to fail: what is not kept is made again.
      }
      return Promise.resolve();
    },
  };
}

function read({ sql }: CacheStorageLike, key: string): Uint8Array | undefined {
  const [entry] = sql
    .exec<{ bytes: number; used: number }>("SELECT bytes, used FROM tenrec_package_cache WHERE key = ?", key)
    .toArray();
  if (!entry) return undefined;
  const bytes = new Uint8Array(entry.bytes);
  let at = 0;
  const parts = sql.exec<{ content: ArrayBuffer }>(
    "SELECT content FROM tenrec_package_parts WHERE key = ? ORDER BY part",
    key,
  );
  for (const { content } of parts.toArray()) {
    bytes.set(new Uint8Array(content), at);
    at += content.byteLength;
  }
  const now = tick({ sql } as CacheStorageLike);
  // A row written costs more than one read: who is among the last ones used stays as it is.
  if (now - entry.used > 64) sql.exec("UPDATE tenrec_package_cache SET used = ? WHERE key = ?", now, key);
  return bytes;
}

function write(storage: CacheStorageLike, key: string, bytes: Uint8Array, maxBytes: number): void {
  const { sql } = storage;
  drop(storage, key);
  const [sum] = sql.exec<{ total: number | null }>("SELECT sum(bytes) AS total FROM tenrec_package_cache").toArray();
  let left = maxBytes - bytes.length - (sum?.total ?? 0);
  if (left < 0) {
    const oldest = sql.exec<{ key: string; bytes: number }>(
      "SELECT key, bytes FROM tenrec_package_cache ORDER BY used",
    );
    for (const entry of oldest.toArray()) {
      if (left >= 0) break;
      drop(storage, entry.key);
      left += entry.bytes;
    }
  }
  sql.exec("INSERT INTO tenrec_package_cache (key, bytes, used) VALUES (?, ?, ?)", key, bytes.length, tick(storage));
  for (let part = 0; part * PART_BYTES < bytes.length; part += 1) {
    const content = bytes.slice(part * PART_BYTES, (part + 1) * PART_BYTES);
    sql.exec("INSERT INTO tenrec_package_parts (key, part, content) VALUES (?, ?, ?)", key, part, content);
  }
}

function drop({ sql }: CacheStorageLike, key: string): void {
  sql.exec("DELETE FROM tenrec_package_parts WHERE key = ?", key);
  sql.exec("DELETE FROM tenrec_package_cache WHERE key = ?", key);
}

/** Counts up with what is written, in place of a clock. */
function tick({ sql }: CacheStorageLike): number {
  const [row] = sql.exec<{ last: number | null }>("SELECT max(used) AS last FROM tenrec_package_cache").toArray();
  return (row?.last ?? 0) + 1;
}
