/** A statement as `src/inside/d1-database.ts` sends it. */
export interface D1Statement {
  readonly sql: string;
  readonly params: readonly (string | number | ArrayBuffer | null)[];
}

export interface D1Answer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** One D1 database: all of its own SQLite, so that no statement reaches anything else. */
export class D1Database {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Runs the statements in one transaction: all or none. */
  batch(statements: readonly D1Statement[]): D1Answer[] {
    if (statements.length === 0) throw new Error("No SQL statements detected.");
    return this.#storage.transactionSync(() => statements.map((statement) => this.#run(statement)));
  }

  /** Runs statements without parameters; answers with how many there were. */
  exec(sql: string): number {
    const before = this.#storage.sql.exec(sql);
    before.toArray();
    return sql.split(";").filter((part) => part.trim() !== "").length;
  }

  /** Applies the migrations that were not applied before, in order, each all or not at all. Answers with their names. */
  migrate(migrations: readonly Migration[]): string[] {
    const { sql } = this.#storage;
    if (migrations.length === 0) return [];
    sql.exec(`CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
      applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`);
    const done = new Set(
      sql
        .exec<{ name: string }>("SELECT name FROM d1_migrations")
        .toArray()
        .map(({ name }) => name),
    );
    const due = migrations.filter(({ name }) => !done.has(name));
    for (const migration of due) {
      this.#storage.transactionSync(() => {
        sql.exec(migration.sql).toArray();
        sql.exec("INSERT INTO d1_migrations (name) VALUES (?)", migration.name);
      });
    }
    return due.map(({ name }) => name);
  }

  #run({ sql, params }: D1Statement): D1Answer {
    const before = this.#counts();
    const cursor = this.#storage.sql.exec(sql, ...params);
    const rows = [...cursor.raw()].map((row) => row.map(plain));
    const after = this.#counts();
    const changes = after.total - before.total;
    return {
      columns: cursor.columnNames,
      rows,
      meta: {
        served_by: "tenrec-preview",
        duration: 0,
        changes,
        last_row_id: after.lastRow,
        changed_db: changes > 0 || cursor.rowsWritten > 0,
        size_after: this.#storage.sql.databaseSize,
        rows_read: cursor.rowsRead,
        rows_written: cursor.rowsWritten,
      },
    };
  }

  #counts(): { total: number; lastRow: number } {
    const query = "SELECT total_changes() AS total, last_insert_rowid() AS lastRow";
    return this.#storage.sql.exec<{ total: number; lastRow: number }>(query).one();
  }
}

/** D1 hands out blobs as lists of numbers. */
function plain(value: SqlStorageValue): unknown {
  return value instanceof ArrayBuffer ? [...new Uint8Array(value)] : value;
}
