import type { StorageLike } from "../sql.ts";
import { GitFiles } from "./git-files.ts";
import { sweepParts } from "./git-parts.ts";
import { createGitSchema } from "./git-schema.ts";

/** How old a content must be that no repository names: older than any call that may name it yet. */
const GRACE_MS = 60 * 60 * 1000;

export interface GitStoreOptions {
  /** Milliseconds since the epoch; default `Date.now`. */
  readonly now?: () => number;
}

/**
 * The `.git` of any number of repositories, apart from the trees. A repository goes by a name, usually that of the head
 * whose files it is about, and exists as soon as it has files. Creates its tables when they are missing.
 */
export class GitStore {
  readonly #storage: StorageLike;
  readonly #now: () => number;

  constructor(storage: StorageLike, options: GitStoreOptions = {}) {
    createGitSchema(storage);
    this.#storage = storage;
    this.#now = options.now ?? Date.now;
  }

  /** The files of one repository, with the writes of one call in memory. For `createGit`. */
  open(repository: string): GitFiles {
    return new GitFiles({ sql: this.#storage.sql, now: this.#now, repository });
  }

  /** The database, for what is known of contents whatever the repository. For `createGit`. */
  get sql(): StorageLike["sql"] {
    return this.#storage.sql;
  }

  has(repository: string): boolean {
    return (
      this.#storage.sql.exec("SELECT 1 FROM tenrec_git_files WHERE repository = ? LIMIT 1", repository).toArray()
        .length > 0
    );
  }

  /**
   * Gives a fork of the tree a repository of its own, with the refs, index and objects that `from` has now; what `to` had
   * is gone. Large packs are shared. A row for each file, in one transaction, which may be part of the caller's.
   */
  copy(from: string, to: string): void {
    if (from === to) return;
    this.#storage.transactionSync(() => {
      this.#storage.sql.exec("DELETE FROM tenrec_git_files WHERE repository = ?", to);
      this.#storage.sql.exec(
        `INSERT INTO tenrec_git_files (repository, path, size, hash, changed_at, data)
         SELECT ?, path, size, hash, changed_at, data FROM tenrec_git_files WHERE repository = ?`,
        to,
        from,
      );
    });
  }

  /** Removes a repository. `sweep` removes its large contents. */
  remove(repository: string): void {
    this.#storage.sql.exec("DELETE FROM tenrec_git_files WHERE repository = ?", repository);
  }

  /** Deletes what calls left over that were never committed, an hour after. The number of contents. */
  sweep(): number {
    return this.#storage.transactionSync(() => sweepParts(this.#storage.sql, this.#now() - GRACE_MS));
  }

  /** Bytes and files of a repository. */
  usage(repository: string): { readonly files: number; readonly bytes: number } {
    const [row] = this.#storage.sql
      .exec<{ files: number; bytes: number }>(
        "SELECT COUNT(*) AS files, COALESCE(SUM(size), 0) AS bytes FROM tenrec_git_files WHERE repository = ?",
        repository,
      )
      .toArray();
    return row ?? { files: 0, bytes: 0 };
  }
}
