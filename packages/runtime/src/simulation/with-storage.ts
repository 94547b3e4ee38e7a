import type { SqlBinding, SqlLike, SqlValue, StorageLike } from "@tenrec/vfs";

/** When an instance dies at a transaction. */
export type Fate = "none" | "before" | "after";

export interface StorageWatch {
  /** Throws when the instance may not use the storage any more. */
  check(): void;
  /** Asked once for each commit. */
  fate(): Fate;
  /** The instance dies now. */
  die(): void;
  /** True while the storage has no room. */
  isFull(): boolean;
  /** The instance has claimed the journal. */
  onClaim(): void;
  /** An event became durable; `body` as it is stored. */
  onEvent(session: string, seq: number, body: string): void;
}

const INSERTS_EVENT = /^INSERT INTO tenrec_events \(/;
const CLAIMS = /^INSERT INTO tenrec_instance /;
const WRITES = /^\s*(INSERT|UPDATE)/;

/** The storage as one instance sees it: each commit is a place where it may die, before or after. */
export function mortalStorage(storage: StorageLike, watch: StorageWatch): StorageLike {
  let depth = 0;
  let written: [session: string, seq: number, body: string][] = [];
  const commit = <T>(run: () => T): T => {
    const fate = watch.fate();
    written = [];
    depth += 1;
    try {
      const result = storage.transactionSync(() => {
        const done = run();
        if (fate === "before") {
          watch.die();
          throw new Error("the object was reset before the commit");
        }
        return done;
      });
      for (const [session, seq, body] of written) watch.onEvent(session, seq, body);
      if (fate === "after") {
        watch.die();
        throw new Error("the object was reset after the commit");
      }
      return result;
    } finally {
      depth -= 1;
    }
  };
  const sql: SqlLike = {
    exec<T extends Record<string, SqlValue>>(query: string, ...bindings: SqlBinding[]) {
      watch.check();
      if (!WRITES.test(query)) return storage.sql.exec<T>(query, ...bindings);
      if (watch.isFull()) throw new Error("database or disk is full: SQLITE_FULL");
      if (CLAIMS.test(query)) watch.onClaim();
      if (depth === 0) return commit(() => storage.sql.exec<T>(query, ...bindings));
      const [session, seq, , , body] = bindings;
      const isEvent = INSERTS_EVENT.test(query) && typeof session === "string" && typeof body === "string";
      if (isEvent) written.push([session, Number(seq), body]);
      return storage.sql.exec<T>(query, ...bindings);
    },
  };
  return {
    sql,
    transactionSync(run) {
      watch.check();
      return depth > 0 ? storage.transactionSync(run) : commit(run);
    },
  };
}
