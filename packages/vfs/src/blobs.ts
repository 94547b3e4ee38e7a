import { TenrecError } from "@tenrec/protocol";
import { EMPTY_HASH } from "./sha256.ts";
import type { SqlLike, SqlValue } from "./sql.ts";

/** Bytes of a part: a row may have 2 MB. All parts of a content but the last are full. */
export const PART_BYTES: number = 1024 * 1024;

/** Hashes in one query: a bound text has at most 2 MB. */
const HASHES_PER_QUERY = 1000;

/** A content that is an object in the bucket. */
export interface InBucket {
  readonly key: string;
}

/** Rows of the content whose hash is the first binding. The index is of the first 64 bits. */
export const OF_HASH = "substr(hash, 1, 16) = substr(?1, 1, 16) AND hash = ?1";

// The first rows of contents, whose hashes are a JSON array.
const FIRST_ROWS = `json_each(?) AS wanted CROSS JOIN tenrec_blobs
  ON substr(hash, 1, 16) = substr(wanted.value, 1, 16) AND part = 0 AND hash = wanted.value`;

// A content is readable in two states: `live`, and `lost` when the bucket did not have its object.
const READABLE = "state IN ('live', 'lost')";

/** The whole content from its rows; the caller owns it. `EIO` when a part is missing. */
export function readParts(sql: SqlLike, file: { hash: string; size: number }, path: string): Uint8Array | InBucket {
  const { hash, size } = file;
  if (hash === EMPTY_HASH) return new Uint8Array(0);
  const cursor = sql.exec<{ data: ArrayBuffer | null; key: string | null }>(
    `SELECT data, key FROM tenrec_blobs WHERE ${OF_HASH} AND ${READABLE} ORDER BY part`,
    hash,
  );
  // A cursor holds one part of a large content at a time; of one part it would only be slower.
  const rows = size <= PART_BYTES ? cursor.toArray() : cursor;
  let bytes: Uint8Array | undefined;
  let length = 0;
  for (const { data, key } of rows) {
    if (key !== null) return { key };
    if (data === null || length + data.byteLength > size) throw missing(path, hash);
    // The one part of a small file needs no copy.
    if (data.byteLength === size) return new Uint8Array(data);
    bytes ??= new Uint8Array(size);
    bytes.set(new Uint8Array(data), length);
    length += data.byteLength;
  }
  if (bytes === undefined || length !== size) throw missing(path, hash);
  return bytes;
}

/** Where a content is: `undefined` for the rows. `EIO` when it is nowhere. */
export function findPlace(sql: SqlLike, { hash }: { hash: string }, path: string): InBucket | undefined {
  const [row] = sql
    .exec<{ key: string | null }>(`SELECT key FROM tenrec_blobs WHERE ${OF_HASH} AND part = 0 AND ${READABLE}`, hash)
    .toArray();
  if (row === undefined) throw missing(path, hash);
  return row.key === null ? undefined : { key: row.key };
}

/** A part of a content that is in rows, without reading the other rows. */
export function readPartsRange(
  sql: SqlLike,
  file: { hash: string; size: number },
  range: { offset: number; length: number },
  path: string,
): Uint8Array {
  const end = Math.min(file.size, range.offset + range.length);
  const bytes = new Uint8Array(Math.max(0, end - range.offset));
  for (let offset = range.offset; offset < end;) {
    const part = Math.floor(offset / PART_BYTES);
    const from = offset % PART_BYTES;
    const wanted = Math.min(PART_BYTES - from, end - offset);
    const [row] = sql
      .exec<{ data: ArrayBuffer | null }>(
        `SELECT substr(data, ?3, ?4) AS data FROM tenrec_blobs WHERE ${OF_HASH} AND part = ?2 AND state = 'live'`,
        file.hash,
        part,
        from + 1,
        wanted,
      )
      .toArray();
    if (row?.data?.byteLength !== wanted) throw missing(path, file.hash);
    bytes.set(new Uint8Array(row.data), offset - range.offset);
    offset += wanted;
  }
  return bytes;
}

/** Contents of files of one part each, by hash. What is missing, or in the bucket, is absent from the answer. */
export function readSmallBlobs(sql: SqlLike, hashes: readonly string[]): Map<string, Uint8Array> {
  const rows = sql.exec<{ hash: string; data: ArrayBuffer | null }>(
    `SELECT hash, data FROM ${FIRST_ROWS} WHERE state = 'live'`,
    JSON.stringify(hashes),
  );
  const found = new Map<string, Uint8Array>([[EMPTY_HASH, new Uint8Array(0)]]);
  for (const { hash, data } of rows) if (data) found.set(hash, new Uint8Array(data));
  return found;
}

/** Which of these contents the store has, in rows or in the bucket: they need not be stored again. */
export function knownBlobs(sql: SqlLike, hashes: readonly string[]): Set<string> {
  const states = blobStates(sql, hashes);
  return new Set([...states].flatMap(([hash, state]) => (state === "live" ? [hash] : [])));
}

/** The same with those that the bucket lost. */
export function storedBlobs(sql: SqlLike, hashes: readonly string[]): Set<string> {
  const states = blobStates(sql, hashes);
  return new Set([...states].flatMap(([hash, state]) => (state === "live" || state === "lost" ? [hash] : [])));
}

/** Of those that have a row; the content without bytes needs none and is always live. */
export function blobStates(sql: SqlLike, hashes: readonly string[]): Map<string, string> {
  const rows = inPages<{ hash: string; state: string }>(sql, `SELECT hash, state FROM ${FIRST_ROWS}`, hashes);
  return new Map([[EMPTY_HASH, "live"], ...rows.map(({ hash, state }) => [hash, state] as const)]);
}

/**
 * Of those that have no row, by the first 64 bits: a guard against a mistake. It asks the index alone, since a row takes a
 * page to read.
 */
export function absentBlobs(sql: SqlLike, hashes: readonly string[]): string[] {
  const query = `SELECT value AS hash FROM json_each(?) WHERE NOT EXISTS
    (SELECT 1 FROM tenrec_blobs WHERE substr(hash, 1, 16) = substr(value, 1, 16) AND part = 0)`;
  return inPages<{ hash: string }>(sql, query, hashes).flatMap(({ hash }) => (hash === EMPTY_HASH ? [] : [hash]));
}

/** The rows of a query for a JSON array of hashes. */
function inPages<T extends Record<string, SqlValue>>(sql: SqlLike, query: string, hashes: readonly string[]): T[] {
  const rows: T[] = [];
  for (let start = 0; start < hashes.length; start += HASHES_PER_QUERY) {
    rows.push(...sql.exec<T>(query, JSON.stringify(hashes.slice(start, start + HASHES_PER_QUERY))).toArray());
  }
  return rows;
}

/**
 * Writes a content, unless the store has it. Needs a transaction; the last part goes first all the same, so that
 * `knownBlobs` never sees a content without its end.
 */
export function writeBlob(sql: SqlLike, hash: string, bytes: Uint8Array, now: number): void {
  const [first] = sql
    .exec<{ state: string }>(`SELECT state FROM tenrec_blobs WHERE ${OF_HASH} ORDER BY part LIMIT 1`, hash)
    .toArray();
  if (first?.state === "live" || hash === EMPTY_HASH) return;
  if (first) clearBlob(sql, hash, now);
  insertParts(sql, hash, bytes, now);
}

/** Writes a content of which the store has no row. One of several parts needs a transaction. */
export function insertParts(sql: SqlLike, hash: string, bytes: Uint8Array, now: number): void {
  const parts = Math.ceil(bytes.length / PART_BYTES);
  for (let part = parts - 1; part >= 0; part--) {
    const data = bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
    sql.exec(
      "INSERT INTO tenrec_blobs (hash, part, size, state, changed_at, data) VALUES (?, ?, ?, 'live', ?, ?)",
      hash,
      part,
      data.length,
      now,
      data,
    );
  }
}

/** Takes what is left of a content out of the store. Its object in the bucket, which may still be there, is condemned. */
export function clearBlob(sql: SqlLike, hash: string, now: number): void {
  sql.exec(
    `INSERT OR REPLACE INTO tenrec_bucket_keys (key, state, changed_at)
     SELECT key, 'condemned', ?2 FROM tenrec_blobs WHERE ${OF_HASH} AND key IS NOT NULL`,
    hash,
    now,
  );
  sql.exec(`DELETE FROM tenrec_blobs WHERE ${OF_HASH}`, hash);
}

export function missing(path: string, hash: string): TenrecError<"EIO"> {
  return new TenrecError("EIO", { path, reason: `its content ${hash} is missing from the store` });
}
