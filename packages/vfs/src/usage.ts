import type { SqlLike } from "./sql.ts";

/** What is stored, as a meter of rows and bytes of content. */
export interface Usage {
  readonly blobs: { readonly rows: number; readonly bytes: number };
  readonly nodes: { readonly rows: number; readonly bytes: number };
  readonly heads: number;
  readonly checkpoints: number;
}

/** Reads every row's sizes: for a meter, not for a hot path. */
export function usage(sql: SqlLike): Usage {
  const one = (query: string): { rows: number; bytes: number } =>
    sql.exec<{ rows: number; bytes: number }>(query).toArray()[0] ?? { rows: 0, bytes: 0 };
  return {
    blobs: one("SELECT COUNT(*) AS rows, COALESCE(SUM(size), 0) AS bytes FROM tenrec_blobs"),
    nodes: one(
      "SELECT COUNT(*) AS rows, COALESCE(SUM(LENGTH(entries) + LENGTH(mtimes)), 0) AS bytes FROM tenrec_nodes",
    ),
    heads: one("SELECT COUNT(*) AS rows, 0 AS bytes FROM tenrec_heads").rows,
    checkpoints: one("SELECT COUNT(*) AS rows, 0 AS bytes FROM tenrec_checkpoints").rows,
  };
}
