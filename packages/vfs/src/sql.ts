/** What a column holds when it is read. */
export type SqlValue = ArrayBuffer | string | number | null;

/** What can be bound to a `?`. */
export type SqlBinding = SqlValue | Uint8Array;

/** A part of Durable Object SQL. Rows of one statement are read before the next statement runs. */
export interface SqlLike {
  /** Bytes of the database, where it can be told. */
  readonly databaseSize?: number | undefined;
  exec<T extends Record<string, SqlValue>>(query: string, ...bindings: SqlBinding[]): { toArray(): T[] } & Iterable<T>;
}

/** A part of `DurableObjectStorage`. */
export interface StorageLike {
  readonly sql: SqlLike;
  /** Runs `fn` in one transaction, rolled back when it throws. Calls may be nested. */
  transactionSync<T>(fn: () => T): T;
}
