import { openTables } from "./open-tables.ts";
import type { StorageLike } from "./sql.ts";

/** Version of the tables below. */
const SCHEMA_VERSION = 3;

// WITHOUT ROWID saves the row of an index, which is billed as written like any other. Not so for contents and directories:
// large rows make such a table slow, a lookup among 2,000 files took 30 µs in a Durable Object instead of 6, and a commit of
// three directories changed eight pages instead of four. A store that was made before keeps its table of directories.
const TABLES = [
  `CREATE TABLE IF NOT EXISTS tenrec_tree_schema (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL
  )`,
  // File content by SHA-256, in parts; or one row with the `key` of its object in the bucket, `size` then being the whole
  // content's. `state` is live; lost when the bucket did not have the object; pending while the hash is not known yet.
  `CREATE TABLE IF NOT EXISTS tenrec_blobs (
    hash TEXT NOT NULL,
    part INTEGER NOT NULL,
    size INTEGER NOT NULL,
    state TEXT NOT NULL,
    changed_at INTEGER NOT NULL,
    data BLOB,
    key TEXT
  )`,
  // Not of the whole hash: such an index would be three times the size, and changed in as many pages more.
  "CREATE INDEX IF NOT EXISTS tenrec_blobs_by_hash ON tenrec_blobs (substr(hash, 1, 16), part)",
  "CREATE INDEX IF NOT EXISTS tenrec_blobs_by_part ON tenrec_blobs (part) WHERE part > 0",
  // Objects in the bucket that are no content's: pending ones may become one's, condemned ones are to be deleted.
  // `upload` is the id of the multipart upload that makes the object.
  `CREATE TABLE IF NOT EXISTS tenrec_bucket_keys (
    key TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    changed_at INTEGER NOT NULL,
    upload TEXT
  ) WITHOUT ROWID`,
  // Directory nodes by SHA-256 of kind and entries. The times are no part of the hash: the first writer's are kept.
  `CREATE TABLE IF NOT EXISTS tenrec_nodes (
    hash TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    entries TEXT NOT NULL,
    mtimes TEXT NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS tenrec_heads (
    name TEXT PRIMARY KEY,
    tree TEXT NOT NULL,
    changed_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS tenrec_checkpoints (
    head TEXT NOT NULL,
    id INTEGER NOT NULL,
    tree TEXT NOT NULL,
    label TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (head, id)
  ) WITHOUT ROWID`,
];

/** What brings the tables of a version to the next one; the first entry is that of version 1. */
const MIGRATIONS = [
  ["ALTER TABLE tenrec_blobs ADD COLUMN key TEXT"],
  // Its rows were unique by hash and part, which stays; what came with version 3 are the indexes above.
  [],
];

/** See `openTables`. */
export function createSchema(storage: StorageLike): void {
  openTables(storage, {
    create: TABLES,
    versionTable: "tenrec_tree_schema",
    version: SCHEMA_VERSION,
    migrations: MIGRATIONS,
    what: "the stored tree",
  });
}
