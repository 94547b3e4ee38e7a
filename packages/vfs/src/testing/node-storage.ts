import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { SqlBinding, SqlLike, SqlValue, StorageLike } from "../sql.ts";

/** The storage of a Durable Object on Node's own SQLite, for tests and tools. `path` defaults to memory. */
export interface NodeStorage extends StorageLike {
  close(): void;
}

export function createNodeStorage(path = ":memory:"): NodeStorage {
  const db = new DatabaseSync(path);
  const statements = new Map<string, StatementSync>();
  const sql: SqlLike = {
    exec<T extends Record<string, SqlValue>>(query: string, ...bindings: SqlBinding[]) {
      let statement = statements.get(query);
      if (statement === undefined) statements.set(query, (statement = db.prepare(query)));
      const bound = bindings.map((value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value));
      const rows = statement.all(...bound).map((row) => convert(row) as T);
      return { toArray: () => rows, [Symbol.iterator]: () => rows[Symbol.iterator]() };
    },
  };
  let depth = 0;
  return {
    sql,
    transactionSync<T>(fn: () => T): T {
      const name = `level_${depth++}`;
      db.exec(`SAVEPOINT ${name}`);
      try {
        const result = fn();
        db.exec(`RELEASE ${name}`);
        return result;
      } catch (error) {
        // A full disk ends the whole transaction by itself.
        if (db.isTransaction) {
          db.exec(`ROLLBACK TO ${name}`);
          db.exec(`RELEASE ${name}`);
        }
        throw error;
      } finally {
        depth--;
      }
    },
    close: () => db.close(),
  };
}

// node:sqlite gives bytes as a Uint8Array of its own buffer, a Durable Object gives the buffer.
function convert(row: Record<string, unknown>): Record<string, unknown> {
  for (const [name, value] of Object.entries(row)) {
    if (value instanceof Uint8Array) row[name] = value.buffer;
  }
  return row;
}
