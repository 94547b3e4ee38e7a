import { TenrecError } from "@tenrec/protocol";
import type { StorageLike } from "./sql.ts";

/** Tables with a version of their own. */
export interface Tables {
  /** `CREATE … IF NOT EXISTS`, and among them the one that holds the version. */
  readonly create: readonly string[];
  /** Name of the table with the version: one row, `id` 1 and `version`. */
  readonly versionTable: string;
  readonly version: number;
  /** What brings the tables of a version to the next one; the first entry is that of version 1. */
  readonly migrations: readonly (readonly string[])[];
  /** What is stored in them, for people. */
  readonly what: string;
}

/**
 * Creates the tables where they are missing and changes those that an older version made. `not-configured` when a newer
 * version of this package wrote them.
 */
export function openTables(storage: StorageLike, tables: Tables): void {
  const { create, versionTable, version, migrations, what } = tables;
  const { sql } = storage;
  storage.transactionSync(() => {
    for (const table of create) sql.exec(table);
    const [row] = sql.exec<{ version: number }>(`SELECT version FROM ${versionTable}`).toArray();
    if (row === undefined) {
      sql.exec(`INSERT INTO ${versionTable} (id, version) VALUES (1, ?)`, version);
      return;
    }
    if (row.version > version) {
      throw new TenrecError("not-configured", {
        what: `Version ${row.version} of ${what}`,
        how: "Deploy a version of @tenrec/vfs that is at least as new as the one that wrote it.",
      });
    }
    if (row.version === version) return;
    for (const step of migrations.slice(row.version - 1).flat()) sql.exec(step);
    sql.exec(`UPDATE ${versionTable} SET version = ?`, version);
  });
}
