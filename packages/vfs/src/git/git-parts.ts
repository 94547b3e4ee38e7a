import { TenrecError } from "@tenrec/protocol";
import { PART_BYTES } from "../blobs.ts";
import type { SqlLike } from "../sql.ts";

/** Stores a content. The last part goes first, so that one without its end is never taken for whole. */
export function writeParts(sql: SqlLike, hash: string, bytes: Uint8Array, now: number): void {
  for (let part = Math.ceil(bytes.length / PART_BYTES) - 1; part >= 0; part--) {
    // Replaced when it is there: a new date keeps it from being swept.
    sql.exec(
      "INSERT OR REPLACE INTO tenrec_git_parts (hash, part, changed_at, data) VALUES (?, ?, ?, ?)",
      hash,
      part,
      now,
      bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
    );
  }
}

/** `EIO` when a part is missing. */
export function readParts(sql: SqlLike, hash: string, size: number, path: string): Uint8Array {
  const bytes = new Uint8Array(size);
  let length = 0;
  const rows = sql.exec<{ data: ArrayBuffer }>("SELECT data FROM tenrec_git_parts WHERE hash = ? ORDER BY part", hash);
  for (const { data } of rows) {
    if (length + data.byteLength > size) break;
    bytes.set(new Uint8Array(data), length);
    length += data.byteLength;
  }
  if (length !== size) throw missing(path, hash);
  return bytes;
}

function missing(path: string, hash: string): TenrecError<"EIO"> {
  return new TenrecError("EIO", { path: `/.git/${path}`, reason: `its content ${hash} is missing from the store` });
}

/** `EIO` when it is missing. */
export function readPart(sql: SqlLike, hash: string, part: number, path: string): Uint8Array {
  const [row] = sql
    .exec<{ data: ArrayBuffer }>("SELECT data FROM tenrec_git_parts WHERE hash = ? AND part = ?", hash, part)
    .toArray();
  if (row === undefined) throw missing(path, hash);
  return new Uint8Array(row.data);
}

export function hasParts(sql: SqlLike, hash: string, size: number): boolean {
  const [row] = sql
    .exec<{ size: number | null }>("SELECT SUM(LENGTH(data)) AS size FROM tenrec_git_parts WHERE hash = ?", hash)
    .toArray();
  return (row?.size ?? 0) === size;
}

/** Deletes contents that no file names and that were stored before a time. The number of contents. */
export function sweepParts(sql: SqlLike, before: number): number {
  const rows = sql
    .exec<{ hash: string }>(
      `SELECT hash FROM tenrec_git_parts GROUP BY hash
       HAVING MAX(changed_at) < ? AND NOT EXISTS (
         SELECT 1 FROM tenrec_git_files AS file WHERE file.hash = tenrec_git_parts.hash AND file.data IS NULL
       )`,
      before,
    )
    .toArray();
  for (const { hash } of rows) sql.exec("DELETE FROM tenrec_git_parts WHERE hash = ?", hash);
  return rows.length;
}
