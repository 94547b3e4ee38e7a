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
