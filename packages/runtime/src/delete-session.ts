import { gitStore } from "./call-git.ts";
import type { SqlLike, StorageLike } from "@tenrec/vfs";
import { setImmediate } from "node:timers/promises";
import { ownHead, type Workspace } from "./workspace.ts";

/** Tables with rows of sessions, and what names a row in each. */
const TABLES: readonly (readonly [table: string, key: string])[] = [
  ["tenrec_events", "session, seq"],
  ["tenrec_event_parts", "session, seq, part"],
  ["tenrec_operations", "session, id"],
  ["tenrec_outputs", "session, id, part"],
];

/** Rows that are deleted together; the largest have 500,000 characters. */
const ROWS_PER_PIECE = 100;

/** Ids of sessions that have rows in a table. Jumps from one to the next, however many rows each has. */
function* sessionsIn(sql: SqlLike, table: string): Generator<string> {
  for (let after = ""; ;) {
    const [row] = sql
      .exec<{ session: string | null }>(`SELECT MIN(session) AS session FROM ${table} WHERE session > ?`, after)
      .toArray();
    if (row?.session === undefined || row.session === null) return;
    after = row.session;
    yield after;
  }
}

function exists(sql: SqlLike, session: string): boolean {
  return sql.exec("SELECT 1 FROM tenrec_sessions WHERE id = ?", session).toArray().length > 0;
}

function hasRows(sql: SqlLike, table: string, session: string): boolean {
  return sql.exec(`SELECT 1 FROM ${table} WHERE session = ? LIMIT 1`, session).toArray().length > 0;
}

/** Whether a session of this id was deleted and some of its rows are still there. */
export function hasLeftovers(sql: SqlLike, session: string): boolean {
  if (exists(sql, session)) return false;
  return TABLES.some(([table]) => hasRows(sql, table, session));
}

/**
 * Deletes the rows of sessions that have none in `tenrec_sessions`: that is how a session is marked as deleted. Piece by
 * piece, each in a transaction of its own, so that a stop or a crash leaves the rest to the next call.
 */
export async function deleteLeftovers(storage: StorageLike, signal?: AbortSignal): Promise<void> {
  const { sql } = storage;
  for (const [table, key] of TABLES) {
    for (const session of sessionsIn(sql, table)) {
      const piece = `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE session = ? LIMIT ?)`;
      while (!exists(sql, session) && hasRows(sql, table, session)) {
        signal?.throwIfAborted();
        storage.transactionSync(() => sql.exec(piece, session, ROWS_PER_PIECE).toArray());
        await setImmediate();
      }
    }
  }
}

/**
 * Deletes a session with all that only it has. It is gone when this is called; the rows follow, and what its trees alone
 * held is freed by the next maintenance.
 */
export async function deleteSession(workspace: Workspace, session: string): Promise<void> {
  const { journal, storage, trees } = workspace;
  const { head } = journal.session(session);
  storage.transactionSync(() => {
    journal.removeSession(session);
    if (head !== ownHead(session)) return;
    trees.removeHead(head);
    gitStore(workspace).remove(head);
  });
  journal.publishRemoval(session);
  await deleteLeftovers(storage);
}
