import { TenrecError } from "@tenrec/protocol";
import type { SqlBinding, SqlLike, SqlValue, StorageLike } from "./sql.ts";

/** Bytes of a row, and of an object's whole database: https://developers.cloudflare.com/durable-objects/platform/limits/ */
const MAX_ROW_BYTES = 2_000_000;
const MAX_DATABASE_BYTES = 10_000_000_000;

/** The same storage, with the two limits of a database as typed errors: `ENOSPC` when it is full, `EFBIG` for a row too large. */
export function typedStorage(storage: StorageLike): StorageLike {
  const { sql } = storage;
  const typed: SqlLike = {
    get databaseSize() {
      return sql.databaseSize;
    },
    exec<T extends Record<string, SqlValue>>(query: string, ...bindings: SqlBinding[]) {
      try {
        return sql.exec<T>(query, ...bindings);
      } catch (error) {
        throw limitError(error, sql, bindings) ?? error;
      }
    },
  };
  return {
    sql: typed,
    transactionSync(fn) {
      try {
        return storage.transactionSync(fn);
      } catch (error) {
        // A transaction can be too much only when it is to be committed.
        throw error instanceof TenrecError ? error : (limitError(error, sql, []) ?? error);
      }
    },
  };
}

function limitError(error: unknown, sql: SqlLike, bindings: readonly SqlBinding[]): TenrecError | undefined {
  const message = error instanceof Error ? error.message : String(error);
  if (/SQLITE_FULL|database or disk is full/i.test(message)) {
    return new TenrecError("ENOSPC", { used: sql.databaseSize ?? 0, limit: MAX_DATABASE_BYTES }, { cause: error });
  }
  if (/SQLITE_TOOBIG|string or blob too big/i.test(message)) {
    const size = bindings.reduce<number>((sum, value) => sum + sizeOf(value), 0);
    return new TenrecError("EFBIG", { path: "a row of the store", size, limit: MAX_ROW_BYTES }, { cause: error });
  }
  return undefined;
}

function sizeOf(value: SqlBinding): number {
  if (typeof value === "string") return value.length;
  return value instanceof ArrayBuffer || value instanceof Uint8Array ? value.byteLength : 8;
}
