import { clearBlob, PART_BYTES, writeBlob } from "./blobs.ts";
import { EMPTY_HASH } from "./sha256.ts";
import type { SqlBinding, StorageLike } from "./sql.ts";

/** Three bindings a row and one for all of them, of the hundred that a statement may have. */
const ROWS_PER_STATEMENT = 33;
const BYTES_PER_STATEMENT = PART_BYTES;

/**
 * Stores contents, but those that the store has, several small ones with one statement: each statement costs as much as a
 * few kilobytes. Yields after each, with its bytes; what was yielded is stored, all of it or nothing.
 */
export function* writeBlobs(
  storage: StorageLike,
  contents: Iterable<readonly [hash: string, bytes: Uint8Array]>,
  now: number,
): Generator<number> {
  let batch: (readonly [string, Uint8Array])[] = [];
  let bytes = 0;
  for (const content of contents) {
    const size = content[1].length;
    if (batch.length === ROWS_PER_STATEMENT || (batch.length > 0 && bytes + size > BYTES_PER_STATEMENT)) {
      writeBatch(storage, batch, now);
      yield bytes;
      batch = [];
      bytes = 0;
    }
    batch.push(content);
    bytes += size;
  }
  if (batch.length === 0) return;
  writeBatch(storage, batch, now);
  yield bytes;
}

function writeBatch(storage: StorageLike, batch: readonly (readonly [string, Uint8Array])[], now: number): void {
  const { sql } = storage;
  const [first] = batch;
  storage.transactionSync(() => {
    if (first && batch.length === 1) {
      writeBlob(sql, first[0], first[1], now);
      return;
    }
    const found = sql.exec<{ hash: string; state: string }>(
      "SELECT hash, state FROM tenrec_blobs WHERE hash IN (SELECT value FROM json_each(?)) AND part = 0",
      JSON.stringify(batch.map(([hash]) => hash)),
    );
    const states = new Map(Array.from(found, ({ hash, state }) => [hash, state]));
    const fresh = batch.filter(([hash]) => hash !== EMPTY_HASH && states.get(hash) !== "live");
    if (fresh.length === 0) return;
    for (const [hash] of fresh) if (states.has(hash)) clearBlob(sql, hash, now);
    const rows = fresh.map((_, index) => `(?${3 * index + 2}, 0, ?${3 * index + 3}, 'live', ?1, ?${3 * index + 4})`);
    const bindings: SqlBinding[] = fresh.flatMap(([hash, data]) => [hash, data.length, data]);
    sql.exec(
      `INSERT INTO tenrec_blobs (hash, part, size, state, changed_at, data) VALUES ${rows.join(", ")}`,
      now,
      ...bindings,
    );
  });
}
