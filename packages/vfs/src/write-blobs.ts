import { blobStates, insertParts, PART_BYTES, writeBlob } from "./blobs.ts";
import { compareText } from "./path.ts";
import type { StorageLike } from "./sql.ts";

// Between two batches the storage commits, and waits for the disk: not more often than the others on the event loop need.
const CONTENTS_PER_BATCH = 4000;
const BYTES_PER_BATCH = 16 * PART_BYTES;

type Content = readonly [hash: string, bytes: Uint8Array];

/**
 * Stores contents, but those that the store has; each is stored whole or not at all. Yields now and then, so that the
 * caller can rest.
 *
 * A statement for each row, outside of a transaction, and in the order of the index: SQLite notes what it needs to take
 * back a transaction or a statement of many rows, which made it write half as much again; and rows in no order change a
 * page of the index each.
 */
export function* writeBlobs(
  storage: StorageLike,
  contents: ReadonlyMap<string, Uint8Array>,
  now: number,
): Generator<void> {
  let batch: Content[] = [];
  let bytes = 0;
  for (const content of [...contents].sort((a, b) => compareText(a[0], b[0]))) {
    batch.push(content);
    bytes += content[1].length;
    if (batch.length < CONTENTS_PER_BATCH && bytes < BYTES_PER_BATCH) continue;
    writeBatch(storage, batch, now);
    yield;
    batch = [];
    bytes = 0;
  }
  writeBatch(storage, batch, now);
}

function writeBatch(storage: StorageLike, batch: readonly Content[], now: number): void {
  const { sql } = storage;
  const states = blobStates(
    sql,
    batch.map(([hash]) => hash),
  );
  for (const [hash, bytes] of batch) {
    const state = states.get(hash);
    if (state === "live") continue;
    if (state === undefined && bytes.length <= PART_BYTES) insertParts(sql, hash, bytes, now);
    else storage.transactionSync(() => writeBlob(sql, hash, bytes, now));
  }
}
