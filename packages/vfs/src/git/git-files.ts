import { setImmediate } from "node:timers/promises";
import { TenrecError } from "@tenrec/protocol";
import { PART_BYTES } from "../blobs.ts";
import { compareText } from "../path.ts";
import { sha256 } from "../sha256.ts";
import type { SqlLike } from "../sql.ts";
import { hasParts, readPart, readParts, writeParts } from "./git-parts.ts";

/** A file of `.git`, as `stat` shows it. */
export interface GitFileInfo {
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
}

interface StagedFile extends GitFileInfo {
  readonly hash: string;
  /** Absent once the content is stored as parts. */
  readonly bytes?: Uint8Array;
}

interface Row extends Record<string, string | number | ArrayBuffer | null> {
  size: number;
  hash: string;
  changed_at: number;
  data: ArrayBuffer | null;
}

/** What a staged change is made of, to go back to it. */
export interface GitFilesMark {
  readonly staged: ReadonlyMap<string, StagedFile | null>;
  readonly made: ReadonlySet<string>;
}

/**
 * The files of one `.git`, with the writes of one call in memory. `store` puts large contents into the database, where
 * nothing names them yet; `apply` makes all writes part of the repository, inside the caller's transaction.
 */
export class GitFiles {
  readonly #sql: SqlLike;
  readonly #now: () => number;
  readonly repository: string;
  #staged = new Map<string, StagedFile | null>();
  // The hash that a file had when it was first written here; undefined for one that was not there.
  readonly #bases = new Map<string, string | undefined>();
  // `mkdir` and then `stat` works, though a directory is nothing but the files in it.
  #made = new Set<string>();

  constructor(host: { readonly sql: SqlLike; readonly now: () => number; readonly repository: string }) {
    this.#sql = host.sql;
    this.#now = host.now;
    this.repository = host.repository;
  }

  /** The content, which the caller must not change. `EIO` when a part is missing. */
  read(path: string): Uint8Array | undefined {
    const staged = this.#staged.get(path);
    if (staged === null) return undefined;
    if (staged?.bytes) return staged.bytes;
    if (staged) return readParts(this.#sql, staged.hash, staged.size, path);
    const row = this.#row(path);
    if (row === undefined) return undefined;
    if (row.data !== null) return new Uint8Array(row.data);
    return readParts(this.#sql, row.hash, row.size, path);
  }

  /** One part of a file of `PART_BYTES` or less; `read` in pieces. `EIO` when it is missing. */
  readPart(path: string, part: number): Uint8Array {
    const staged = this.#staged.get(path);
    const row = staged === undefined ? this.#row(path) : undefined;
    const bytes = staged?.bytes ?? (row?.data ? new Uint8Array(row.data) : undefined);
    if (bytes) return bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
    return readPart(this.#sql, staged?.hash ?? row?.hash ?? "", part, path);
  }

  stat(path: string): GitFileInfo | undefined {
    const staged = this.#staged.get(path);
    if (staged !== undefined) return staged ?? undefined;
    const [row] = this.#sql
      .exec<{ size: number; changed_at: number }>(
        "SELECT size, changed_at FROM tenrec_git_files WHERE repository = ? AND path = ?",
        this.repository,
        path,
      )
      .toArray();
    return row && { size: row.size, changedAt: row.changed_at };
  }

  /** True for the root, for what `makeDirectory` made, and for what has files in it. */
  isDirectory(path: string): boolean {
    if (path === "" || this.#made.has(path)) return true;
    return this.#paths(`${path}/`).length > 0;
  }

  makeDirectory(path: string): void {
    this.#made.add(path);
  }

  /** Names in a directory, sorted; true for a directory. */
  list(directory: string): Map<string, boolean> {
    const prefix = directory === "" ? "" : `${directory}/`;
    const names = new Map<string, boolean>();
    for (const path of [...this.#paths(prefix), ...this.#made]) {
      if (!path.startsWith(prefix) || path.length === prefix.length) continue;
      const [name = "", ...rest] = path.slice(prefix.length).split("/");
      names.set(name, names.get(name) === true || rest.length > 0 || this.#made.has(path));
    }
    return new Map([...names].sort((a, b) => compareText(a[0], b[0])));
  }

  /** Takes over the bytes. */
  write(path: string, bytes: Uint8Array): void {
    this.#remember(path);
    this.#staged.set(path, { size: bytes.length, hash: sha256(bytes), changedAt: this.#now(), bytes });
  }

  /** A file, or everything in a directory. */
  remove(path: string): void {
    for (const file of [...this.#paths(`${path}/`), ...(this.stat(path) ? [path] : [])]) {
      this.#remember(file);
      this.#staged.set(file, null);
    }
    for (const made of this.#made) if (made === path || made.startsWith(`${path}/`)) this.#made.delete(made);
  }

  mark(): GitFilesMark {
    return { staged: new Map(this.#staged), made: new Set(this.#made) };
  }

  /** Takes back the writes since the mark. */
  reset(mark: GitFilesMark): void {
    this.#staged = new Map(mark.staged);
    this.#made = new Set(mark.made);
  }

  /** Puts contents that are too large for a row into parts, and lets go of their bytes. */
  async store(): Promise<void> {
    for (const [path, file] of this.#staged) {
      if (!file?.bytes || file.size <= PART_BYTES) continue;
      writeParts(this.#sql, file.hash, file.bytes, this.#now());
      const { bytes: _bytes, ...stored } = file;
      this.#staged.set(path, stored);
      await setImmediate();
    }
  }

  /**
   * Writes everything, to be called in a transaction, best after `store`. `tree-conflict` when another call has changed one of
   * the files in the meantime; objects and packs never conflict, since their name says what is in them. A second time
   * does nothing.
   */
  apply(): void {
    const conflicts = [];
    for (const [path, file] of this.#staged) {
      const now = this.#row(path);
      if (now?.hash === file?.hash) continue;
      if (!path.startsWith("objects/") && now?.hash !== this.#bases.get(path)) {
        conflicts.push(`/.git/${path}`);
        continue;
      }
      this.#apply(path, file, now);
    }
    if (conflicts.length > 0) throw new TenrecError("tree-conflict", { paths: conflicts });
  }

  #apply(path: string, file: StagedFile | null, before: Row | undefined): void {
    if (file === null) {
      this.#sql.exec("DELETE FROM tenrec_git_files WHERE repository = ? AND path = ?", this.repository, path);
    } else {
      const isLarge = file.size > PART_BYTES;
      if (isLarge && file.bytes) writeParts(this.#sql, file.hash, file.bytes, this.#now());
      if (isLarge && !hasParts(this.#sql, file.hash, file.size)) {
        throw new TenrecError("EIO", { path: `/.git/${path}`, reason: "its content was swept before the commit" });
      }
      this.#sql.exec(
        `INSERT OR REPLACE INTO tenrec_git_files (repository, path, size, hash, changed_at, data)
         VALUES (?, ?, ?, ?, ?, ?)`,
        this.repository,
        path,
        file.size,
        file.hash,
        file.changedAt,
        isLarge ? null : (file.bytes ?? null),
      );
    }
    if (before?.data !== null || before === undefined) return;
    this.#sql.exec(
      `DELETE FROM tenrec_git_parts WHERE hash = ?1
       AND NOT EXISTS (SELECT 1 FROM tenrec_git_files WHERE hash = ?1 AND data IS NULL)`,
      before.hash,
    );
  }

  #remember(path: string): void {
    if (!this.#bases.has(path)) this.#bases.set(path, this.#row(path)?.hash);
  }

  #row(path: string): Row | undefined {
    const [row] = this.#sql
      .exec<Row>(
        "SELECT size, hash, changed_at, data FROM tenrec_git_files WHERE repository = ? AND path = ?",
        this.repository,
        path,
      )
      .toArray();
    return row;
  }

  #paths(prefix: string): string[] {
    // The character after `/` ends the range; everything is in the range of the root.
    const end = prefix === "" ? "\u{10ffff}" : `${prefix.slice(0, -1)}0`;
    const rows = this.#sql.exec<{ path: string }>(
      "SELECT path FROM tenrec_git_files WHERE repository = ? AND path >= ? AND path < ?",
      this.repository,
      prefix,
      end,
    );
    const paths = new Set(Array.from(rows, (row) => row.path));
    for (const [path, file] of this.#staged) {
      if (!path.startsWith(prefix)) continue;
      if (file) paths.add(path);
      else paths.delete(path);
    }
    return [...paths];
  }
}
