import { lengthInSql, SqlBytes } from "./sql-bytes.ts";

interface Row extends Record<string, SqlStorageValue> {
  key: string;
  size: number;
  expiration: number | null;
  metadata: string | null;
}

interface PutOptions {
  readonly metadata: string | null;
  /** Seconds since the epoch. */
  readonly expiration: number | null;
}

interface ListQuery {
  readonly prefix: string;
  readonly limit: number;
  readonly cursor: string;
}

const TABLE =
  "CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, size INTEGER, expiration INTEGER, metadata TEXT) WITHOUT ROWID";

/** The values of one KV namespace; what `src/inside/kv-namespace.ts` calls. */
export class KvTable {
  readonly #storage: DurableObjectStorage;
  readonly #values: SqlBytes;
  /** Seconds since the epoch. */
  readonly #now: () => number;

  constructor(storage: DurableObjectStorage, now: () => number) {
    this.#storage = storage;
    this.#now = now;
    storage.sql.exec(TABLE);
    this.#values = new SqlBytes(storage.sql, "parts");
  }

  get(key: string): { value: ArrayBuffer; metadata: string | null } | null {
    const query = "SELECT * FROM entries WHERE key = ? AND (expiration IS NULL OR expiration > ?)";
    const [row] = this.#storage.sql.exec<Row>(query, key, this.#now()).toArray();
    return row ? { value: this.#values.read(key, row.size), metadata: row.metadata } : null;
  }

  put(key: string, value: ArrayBuffer, { metadata, expiration }: PutOptions): void {
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      const insert = "INSERT OR REPLACE INTO entries (key, size, expiration, metadata) VALUES (?, ?, ?, ?)";
      sql.exec(insert, key, value.byteLength, expiration, metadata);
      this.#values.write(key, new Uint8Array(value));
      this.#dropExpired();
    });
  }

  delete(keys: readonly string[]): void {
    this.#storage.transactionSync(() => {
      for (const key of keys) this.#drop(key);
    });
  }

  list({ prefix, limit, cursor }: ListQuery): object {
    const after = cursor === "" ? "" : decodeURIComponent(atob(cursor));
    const query = `SELECT * FROM entries WHERE key > ? AND key >= ? AND substr(key, 1, ?) = ?
      AND (expiration IS NULL OR expiration > ?) ORDER BY key LIMIT ?`;
    const length = lengthInSql(prefix);
    const rows = this.#storage.sql.exec<Row>(query, after, prefix, length, prefix, this.#now(), limit + 1).toArray();
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      keys: page.map(({ key, expiration, metadata }) => ({
        name: key,
        ...(expiration === null ? {} : { expiration }),
        metadata,
      })),
      ...(rows.length > limit && last ? { cursor: btoa(encodeURIComponent(last.key)) } : {}),
    };
  }

  #dropExpired(): void {
    const query = "SELECT key FROM entries WHERE expiration <= ? LIMIT 100";
    for (const { key } of this.#storage.sql.exec<{ key: string }>(query, this.#now()).toArray()) this.#drop(key);
  }

  #drop(key: string): void {
    this.#storage.sql.exec("DELETE FROM entries WHERE key = ?", key);
    this.#values.delete(key);
  }
}
