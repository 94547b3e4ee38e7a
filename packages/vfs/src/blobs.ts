import { TenrecError } from "@tenrec/protocol";
import { EMPTY_HASH } from "./sha256.ts";
import type { SqlLike } from "./sql.ts";

/** Bytes of a part: a row may have 2 MB. */
export const PART_BYTES: number = 1024 * 1024;

/** The content of a file; the caller owns it. `EIO` when a part is missing. */
export function readBlob(sql: SqlLike, hash: string, size: number, path: string): Uint8Array {
  if (hash === EMPTY_HASH) return new Uint8Array(0);
  const rows = sql.exec<{ data: ArrayBuffer | null }>(
    "SELECT data FROM tenrec_blobs WHERE hash = ? AND state = 'live' ORDER BY part",
    hash,
  );
  if (size <= PART_BYTES) {
    const [row] = rows.toArray();
    if (!row?.data || row.data.byteLength !== size) throw missing(path, hash);
    return new Uint8Array(row.data);
  }
  const bytes = new Uint8Array(size);
  let length = 0;
  for (const { data } of rows) {
    if (data === null || length + data.byteLength > size) throw missing(path, hash);
    bytes.set(new Uint8Array(data), length);
    length += data.byteLength;
  }
  if (length !== size) throw missing(path, hash);
  return bytes;
}

/** A part of a file, without reading the other rows. */
export function readBlobRange(
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
        "SELECT substr(data, ?, ?) AS data FROM tenrec_blobs WHERE hash = ? AND part = ? AND state = 'live'",
        from + 1,
        wanted,
        file.hash,
        part,
      )
      .toArray();
    if (row?.data?.byteLength !== wanted) throw missing(path, file.hash);
    bytes.set(new Uint8Array(row.data), offset - range.offset);
    offset += wanted;
  }
  return bytes;
}

/** Contents of files of one part each, by hash. What is missing is absent from the answer. */
export function readSmallBlobs(sql: SqlLike, hashes: readonly string[]): Map<string, Uint8Array> {
  const rows = sql.exec<{ hash: string; data: ArrayBuffer | null }>(
    `SELECT hash, data FROM tenrec_blobs
     WHERE hash IN (SELECT value FROM json_each(?)) AND part = 0 AND state = 'live'`,
    JSON.stringify(hashes),
  );
  const found = new Map<string, Uint8Array>([[EMPTY_HASH, new Uint8Array(0)]]);
  for (const { hash, data } of rows) if (data) found.set(hash, new Uint8Array(data));
  return found;
}

/** Which of these hashes the store holds. */
export function knownBlobs(sql: SqlLike, hashes: readonly string[]): Set<string> {
  const rows = sql.exec<{ hash: string }>(
    `SELECT hash FROM tenrec_blobs
     WHERE hash IN (SELECT value FROM json_each(?)) AND part = 0 AND state = 'live'`,
    JSON.stringify(hashes),
  );
  return new Set([EMPTY_HASH, ...Array.from(rows, (row) => row.hash)]);
}

/** Writes a content. The last part goes first, so that `knownBlobs` never sees a content without its end. */
export function writeBlob(sql: SqlLike, hash: string, bytes: Uint8Array, now: number): void {
  const parts = Math.ceil(bytes.length / PART_BYTES);
  for (let part = parts - 1; part >= 0; part--) {
    const data = bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
    sql.exec(
      "INSERT OR IGNORE INTO tenrec_blobs (hash, part, size, state, changed_at, data) VALUES (?, ?, ?, 'live', ?, ?)",
      hash,
      part,
      data.length,
      now,
      data,
    );
  }
}

function missing(path: string, hash: string): TenrecError<"EIO"> {
  return new TenrecError("EIO", { path, reason: `its content ${hash} is missing from the store` });
}
