import { openTables } from "../open-tables.ts";
import type { StorageLike } from "../sql.ts";

/** Version of the tables below. */
const SCHEMA_VERSION = 1;

const TABLES = [
  `CREATE TABLE IF NOT EXISTS tenrec_git_schema (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL
  )`,
  // The files of each `.git`. `hash` is the SHA-256 of the content, which is in `data`, or in parts when that is NULL.
  `CREATE TABLE IF NOT EXISTS tenrec_git_files (
    repository TEXT NOT NULL,
    path TEXT NOT NULL,
    size INTEGER NOT NULL,
    hash TEXT NOT NULL,
    changed_at INTEGER NOT NULL,
    data BLOB,
    UNIQUE (repository, path)
  )`,
  "CREATE INDEX IF NOT EXISTS tenrec_git_large_files ON tenrec_git_files (hash) WHERE data IS NULL",
  // Contents of large files by SHA-256. Parts that no file names are left over from a call that was not committed.
  `CREATE TABLE IF NOT EXISTS tenrec_git_parts (
    hash TEXT NOT NULL,
    part INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    data BLOB NOT NULL,
    UNIQUE (hash, part)
  )`,
  // What git calls a content that the tree knows by SHA-256.
  `CREATE TABLE IF NOT EXISTS tenrec_git_oids (
    hash TEXT PRIMARY KEY,
    oid TEXT NOT NULL
  ) WITHOUT ROWID`,
];

/** See `openTables`. */
export function createGitSchema(storage: StorageLike): void {
  openTables(storage, {
    create: TABLES,
    versionTable: "tenrec_git_schema",
    version: SCHEMA_VERSION,
    migrations: [],
    what: "the stored git repositories",
  });
}
