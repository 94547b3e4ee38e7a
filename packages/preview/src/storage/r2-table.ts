import type { StoredObject } from "../inside/r2-object.ts";
import { hexDigest } from "./hex-digest.ts";
import { lengthInSql, SqlBytes } from "./sql-bytes.ts";

interface Condition {
  readonly etagMatches: readonly string[];
  readonly etagDoesNotMatch: readonly string[];
  readonly uploadedBefore?: number;
  readonly uploadedAfter?: number;
}
interface Range {
  readonly offset?: number;
  readonly length?: number;
  readonly suffix?: number;
}
interface PutFields {
  readonly httpMetadata: StoredObject["httpMetadata"];
  readonly customMetadata: StoredObject["customMetadata"];
  readonly onlyIf?: Condition;
  readonly digest?: { readonly name: string; readonly hex: string };
}
interface ListQuery {
  readonly prefix: string;
  readonly delimiter: string;
  readonly cursor: string;
  readonly limit: number;
  readonly startAfter: string;
}

const TABLE = "CREATE TABLE IF NOT EXISTS objects (key TEXT PRIMARY KEY, stored TEXT) WITHOUT ROWID";
const MOST_KEY_BYTES = 1024;

/** The objects of one R2 bucket; what `src/inside/r2-bucket.ts` calls. */
export class R2Table {
  readonly #storage: DurableObjectStorage;
  readonly #values: SqlBytes;
  readonly #now: () => number;

  constructor(storage: DurableObjectStorage, now: () => number) {
    this.#storage = storage;
    this.#now = now;
    storage.sql.exec(TABLE);
    this.#values = new SqlBytes(storage.sql, "parts");
  }

  head(key: string): StoredObject | null {
    checkKey("head", key);
    const [row] = this.#storage.sql.exec<{ stored: string }>("SELECT stored FROM objects WHERE key = ?", key).toArray();
    return row ? (JSON.parse(row.stored) as StoredObject) : null;
  }

  get(
    key: string,
    { range, onlyIf }: { range?: Range; onlyIf?: Condition },
  ): { stored: StoredObject; bytes: ArrayBuffer | null } | null {
    checkKey("get", key);
    const stored = this.head(key);
    if (!stored) return null;
    if (onlyIf && !holds(onlyIf, stored)) return { stored, bytes: null };
    const part = range && partOf(range, stored.size);
    const bytes = this.#values.read(key, stored.size, part?.offset ?? 0, part?.length ?? stored.size);
    return { stored: { ...stored, ...(part ? { range: part } : {}) }, bytes };
  }

  async put(key: string, value: ArrayBuffer, fields: PutFields): Promise<StoredObject | null> {
    checkKey("put", key);
    const { httpMetadata, customMetadata, onlyIf, digest } = fields;
    const md5 = await hexDigest("MD5", value);
    if (digest) await checkDigest(digest, value);
    const checksums = { md5, ...(digest ? { [digest.name]: digest.hex } : {}) };
    return this.#storage.transactionSync(() => {
      if (onlyIf && !holds(onlyIf, this.head(key))) return null;
      return this.store(key, value, { etag: md5, httpMetadata, customMetadata, checksums });
    });
  }

  /** Writes an object over what has its key; to be called in a transaction. */
  store(
    key: string,
    value: ArrayBuffer,
    fields: Pick<StoredObject, "etag" | "httpMetadata" | "customMetadata" | "checksums">,
  ): StoredObject {
    const version = crypto.randomUUID().replaceAll("-", "");
    const stored: StoredObject = { key, version, size: value.byteLength, uploaded: this.#now(), ...fields };
    const query = "INSERT OR REPLACE INTO objects (key, stored) VALUES (?, ?)";
    this.#storage.sql.exec(query, key, JSON.stringify(stored));
    this.#values.write(key, new Uint8Array(value));
    return stored;
  }

  delete(keys: readonly string[]): void {
    this.#storage.transactionSync(() => {
      for (const key of keys) {
        this.#storage.sql.exec("DELETE FROM objects WHERE key = ?", key);
        this.#values.delete(key);
      }
    });
  }

  list({ prefix, delimiter, cursor, limit, startAfter }: ListQuery): object {
    const most = Math.min(Math.max(1, limit), 1000);
    let after = cursor === "" ? startAfter : decodeURIComponent(atob(cursor));
    const objects: StoredObject[] = [];
    const prefixes = new Set<string>();
    for (const row of this.#after(after, prefix)) {
      const rest = row.key.slice(prefix.length);
      const end = delimiter === "" ? -1 : rest.indexOf(delimiter);
      const group = end === -1 ? undefined : prefix + rest.slice(0, end + delimiter.length);
      if (group !== undefined && prefixes.has(group)) {
        after = row.key;
        continue;
      }
      if (objects.length + prefixes.size === most) {
        return { objects, prefixes: [...prefixes], cursor: btoa(encodeURIComponent(after)) };
      }
      if (group === undefined) objects.push(JSON.parse(row.stored) as StoredObject);
      else prefixes.add(group);
      after = row.key;
    }
    return { objects, prefixes: [...prefixes] };
  }

  #after(key: string, prefix: string): Iterable<{ key: string; stored: string }> {
    const query = "SELECT key, stored FROM objects WHERE key > ? AND key >= ? AND substr(key, 1, ?) = ? ORDER BY key";
    return this.#storage.sql.exec<{ key: string; stored: string }>(query, key, prefix, lengthInSql(prefix), prefix);
  }
}

/** Whether a condition holds for what is there; without anything there, only one that asks for a match fails. */
function holds(
  { etagMatches, etagDoesNotMatch, uploadedBefore, uploadedAfter }: Condition,
  stored: StoredObject | null,
): boolean {
  if (!stored) return etagMatches.length === 0 && uploadedAfter === undefined;
  const has = (tags: readonly string[]): boolean => tags.includes("*") || tags.includes(stored.etag);
  if (etagMatches.length > 0 && !has(etagMatches)) return false;
  if (etagDoesNotMatch.length > 0 && has(etagDoesNotMatch)) return false;
  // As in HTTP, a condition on the tag makes the one on the time of the same kind meaningless.
  if (uploadedBefore !== undefined && etagMatches.length === 0 && stored.uploaded >= uploadedBefore) return false;
  return uploadedAfter === undefined || etagDoesNotMatch.length > 0 || stored.uploaded > uploadedAfter;
}

function partOf({ offset, length, suffix }: Range, size: number): { offset: number; length: number } {
  if (suffix !== undefined) {
    const count = Math.min(suffix, size);
    return { offset: size - count, length: count };
  }
  const start = offset ?? 0;
  if (start >= size && size > 0) throw new Error("get: The requested range is not satisfiable (10039)");
  return { offset: start, length: Math.min(length ?? size - start, size - start) };
}

async function checkDigest({ name, hex: wanted }: { name: string; hex: string }, value: ArrayBuffer): Promise<void> {
  const algorithm = name === "md5" ? "MD5" : name.replace(/^sha/, "SHA-");
  const real = await hexDigest(algorithm, value);
  if (real !== wanted) {
    throw new Error(
      [
        `put: The ${algorithm} checksum you specified did not match what we received.`,
        `You provided a ${algorithm} checksum with value: ${wanted}`,
        `Actual ${algorithm} was: ${real} (10037)`,
      ].join("\n"),
    );
  }
}

/** Throws for a key that R2 does not take. */
export function checkKey(method: string, key: string): void {
  if (new TextEncoder().encode(key).byteLength > MOST_KEY_BYTES) {
    throw new Error(`${method}: The specified object name is not valid. (10020)`);
  }
}
