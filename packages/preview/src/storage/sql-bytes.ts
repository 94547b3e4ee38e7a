/** Below the 2 MB that a row may have. */
const PART_BYTES = 1024 * 1024;

/** Bytes of any length by key, in rows below the platform's limit. The table must be made first. */
export const PARTS_TABLE =
  "CREATE TABLE IF NOT EXISTS parts (key TEXT, part INTEGER, bytes BLOB, PRIMARY KEY (key, part)) WITHOUT ROWID";

export function writeParts(sql: SqlStorage, key: string, bytes: Uint8Array): void {
  deleteParts(sql, key);
  for (let at = 0, part = 0; at < bytes.byteLength; at += PART_BYTES, part += 1) {
    sql.exec(
      "INSERT INTO parts (key, part, bytes) VALUES (?, ?, ?)",
      key,
      part,
      bytes.slice(at, at + PART_BYTES).buffer,
    );
  }
}

/** The bytes from `offset` on, `length` of them; all by default. */
export function readParts(
  sql: SqlStorage,
  key: string,
  size: number,
  offset = 0,
  length: number = size - offset,
): ArrayBuffer {
  const all = new Uint8Array(length);
  const first = Math.floor(offset / PART_BYTES);
  const last = Math.floor((offset + length - 1) / PART_BYTES);
  const query = "SELECT part, bytes FROM parts WHERE key = ? AND part BETWEEN ? AND ? ORDER BY part";
  for (const row of sql.exec<{ part: number; bytes: ArrayBuffer }>(query, key, first, last)) {
    const start = row.part * PART_BYTES;
    const from = Math.max(0, offset - start);
    const piece = new Uint8Array(row.bytes).subarray(from, offset + length - start);
    all.set(piece, start + from - offset);
  }
  return all.buffer;
}

export function deleteParts(sql: SqlStorage, key: string): void {
  sql.exec("DELETE FROM parts WHERE key = ?", key);
}

/** The length of a text as SQLite counts it: in code points. */
export function lengthInSql(text: string): number {
  return Array.from(text).length;
}
