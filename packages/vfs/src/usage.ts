import type { SqlLike } from "./sql.ts";

interface Amount {
  readonly rows: number;
  readonly bytes: number;
}

/** What is stored, as a meter. */
export interface Usage {
  /** Contents in rows of the database. */
  readonly blobs: Amount;
  /** Contents in the bucket. */
  readonly bucket: { readonly objects: number; readonly bytes: number };
  /** Objects in the bucket that are to be deleted, or whose upload is under way. */
  readonly leftObjects: number;
  readonly nodes: Amount;
  readonly heads: number;
  readonly checkpoints: number;
  /** Bytes of the whole database, other tables and free pages included; absent where it cannot be told. */
  readonly database?: number;
}

/** Reads every row's sizes: for a meter, not for a hot path. */
export function usage(sql: SqlLike): Usage {
  const one = (query: string): Amount =>
    sql.exec<{ rows: number; bytes: number }>(query).toArray()[0] ?? { rows: 0, bytes: 0 };
  const count = (table: string): number => one(`SELECT COUNT(*) AS rows, 0 AS bytes FROM ${table}`).rows;
  const contents = "SELECT COUNT(*) AS rows, COALESCE(SUM(size), 0) AS bytes FROM tenrec_blobs WHERE key IS";
  const bucket = one(`${contents} NOT NULL`);
  const { databaseSize } = sql;
  return {
    blobs: one(`${contents} NULL`),
    bucket: { objects: bucket.rows, bytes: bucket.bytes },
    leftObjects: count("tenrec_bucket_keys"),
    nodes: one(
      "SELECT COUNT(*) AS rows, COALESCE(SUM(LENGTH(entries) + LENGTH(mtimes)), 0) AS bytes FROM tenrec_nodes",
    ),
    heads: count("tenrec_heads"),
    checkpoints: count("tenrec_checkpoints"),
    ...(databaseSize === undefined ? {} : { database: databaseSize }),
  };
}
