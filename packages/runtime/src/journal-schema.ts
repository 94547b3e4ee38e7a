import type { SqlLike } from "@tenrec/vfs";

/** Largest text that one row holds. Durable Object rows end at 2 MB, and a character takes up to three bytes. */
export const ROW_CHARS = 500_000;

/**
 * - `tenrec_sessions`: one row a session. `interruptions` counts restarts of a turn without progress.
 * - `tenrec_events`: the journal, the only truth; `body` is the event as JSON without its stamp.
 * - `tenrec_event_parts`: the rest of a body that is longer than a row, in order.
 * - `tenrec_operations`: idempotency keys, with the hash of their input and, as JSON, how they ended.
 * - `tenrec_outputs`: the full text of tool outputs that were cut.
 * - `tenrec_instance`: one row; `epoch` counts the instances of the object that have claimed the journal.
 */
export function createJournalSchema(sql: SqlLike): void {
  sql.exec(`CREATE TABLE IF NOT EXISTS tenrec_sessions (
    id TEXT PRIMARY KEY, parent TEXT, head TEXT NOT NULL, created_at INTEGER NOT NULL,
    journal_version INTEGER NOT NULL, interruptions INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID`);
  sql.exec(`CREATE TABLE IF NOT EXISTS tenrec_events (
    session TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, parts INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (session, seq)
  ) WITHOUT ROWID`);
  sql.exec(`CREATE TABLE IF NOT EXISTS tenrec_event_parts (
    session TEXT NOT NULL, seq INTEGER NOT NULL, part INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (session, seq, part)
  ) WITHOUT ROWID`);
  sql.exec(`CREATE TABLE IF NOT EXISTS tenrec_operations (
    session TEXT NOT NULL, id TEXT NOT NULL, input_hash TEXT NOT NULL, status TEXT, PRIMARY KEY (session, id)
  ) WITHOUT ROWID`);
  sql.exec(`CREATE TABLE IF NOT EXISTS tenrec_outputs (
    session TEXT NOT NULL, id TEXT NOT NULL, part INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (session, id, part)
  ) WITHOUT ROWID`);
  sql.exec("CREATE TABLE IF NOT EXISTS tenrec_instance (id INTEGER PRIMARY KEY, epoch INTEGER NOT NULL)");
}
