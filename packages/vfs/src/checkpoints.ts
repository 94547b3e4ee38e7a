import type { StorageLike } from "./sql.ts";
import { readHead } from "./heads.ts";

/** A tree that a head had, kept by name. */
export interface Checkpoint {
  /** Counts from 1 in each head. */
  readonly id: number;
  readonly head: string;
  readonly tree: string;
  readonly label: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export function addCheckpoint(storage: StorageLike, head: string, label: string, at: number): Checkpoint {
  return storage.transactionSync(() => {
    const tree = readHead(storage.sql, head);
    const [row] = storage.sql
      .exec<{ last: number | null }>("SELECT MAX(id) AS last FROM tenrec_checkpoints WHERE head = ?", head)
      .toArray();
    const id = (row?.last ?? 0) + 1;
    storage.sql.exec(
      "INSERT INTO tenrec_checkpoints (head, id, tree, label, at) VALUES (?, ?, ?, ?, ?)",
      head,
      id,
      tree,
      label,
      at,
    );
    return { id, head, tree, label, at };
  });
}

/** In the order in which they were made. */
export function listCheckpoints(storage: StorageLike, head: string): Checkpoint[] {
  return storage.sql
    .exec<{ id: number; head: string; tree: string; label: string; at: number }>(
      "SELECT id, head, tree, label, at FROM tenrec_checkpoints WHERE head = ? ORDER BY id",
      head,
    )
    .toArray();
}

/** Which checkpoints of each head stay. The newest one always does. */
export interface Retention {
  /** How many of each head; default all. */
  readonly maxCheckpoints?: number;
  /** Milliseconds; default any age. */
  readonly maxAgeMs?: number;
}

/** Returns how many went. */
export function pruneCheckpoints(
  { sql }: StorageLike,
  { maxCheckpoints = Number.MAX_SAFE_INTEGER, maxAgeMs = Number.MAX_SAFE_INTEGER }: Retention,
  now: number,
): number {
  return sql
    .exec(
      `DELETE FROM tenrec_checkpoints WHERE (head, id) IN (
         SELECT head, id FROM (
           SELECT head, id, at, ROW_NUMBER() OVER (PARTITION BY head ORDER BY id DESC) AS place FROM tenrec_checkpoints
         ) WHERE place > 1 AND (place > ? OR at < ?)
       ) RETURNING id`,
      maxCheckpoints,
      now - maxAgeMs,
    )
    .toArray().length;
}
