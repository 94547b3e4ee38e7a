/** Below the 2 MB that a row may have. */
const PART_BYTES = 1024 * 1024;

/** Bytes of any length by key, in a table of rows below the platform's limit. */
export class SqlBytes {
  readonly #sql: SqlStorage;
  readonly #table: string;

  /** `table` is a name as SQL has it; the table is made. */
  constructor(sql: SqlStorage, table: string) {
    this.#sql = sql;
    this.#table = table;
    sql.exec(
      `CREATE TABLE IF NOT EXISTS ${table} (key TEXT, part INTEGER, bytes BLOB, PRIMARY KEY (key, part)) WITHOUT ROWID`,
    );
  }

  write(key: string, bytes: Uint8Array): void {
    this.delete(key);
    for (let at = 0, part = 0; at < bytes.byteLength; at += PART_BYTES, part += 1) {
      const piece = bytes.slice(at, at + PART_BYTES).buffer;
      this.#sql.exec(`INSERT INTO ${this.#table} (key, part, bytes) VALUES (?, ?, ?)`, key, part, piece);
    }
  }

  /** The bytes from `offset` on, `length` of them; all `size` by default. */
  read(key: string, size: number, offset = 0, length: number = size - offset): ArrayBuffer {
    const all = new Uint8Array(length);
    const first = Math.floor(offset / PART_BYTES);
    const last = Math.floor((offset + length - 1) / PART_BYTES);
    const query = `SELECT part, bytes FROM ${this.#table} WHERE key = ? AND part BETWEEN ? AND ? ORDER BY part`;
    for (const row of this.#sql.exec<{ part: number; bytes: ArrayBuffer }>(query, key, first, last)) {
      const start = row.part * PART_BYTES;
      const from = Math.max(0, offset - start);
      const piece = new Uint8Array(row.bytes).subarray(from, offset + length - start);
      all.set(piece, start + from - offset);
    }
    return all.buffer;
  }

  delete(key: string): void {
    this.#sql.exec(`DELETE FROM ${this.#table} WHERE key = ?`, key);
  }
}

/** The length of a text as SQLite counts it: in code points. */
export function lengthInSql(text: string): number {
  return Array.from(text).length;
}
