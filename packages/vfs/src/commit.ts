import { TenrecError } from "@tenrec/protocol";
import { absentBlobs, missing } from "./blobs.ts";
import { readHead, replaceHead } from "./heads.ts";
import { mergeChanges } from "./merge.ts";
import type { NodeStore } from "./node-store.ts";
import type { StorageLike } from "./sql.ts";
import type { StagedChanges } from "./stage.ts";
import type { TreeChange } from "./tree-change.ts";

/** What a commit did. */
export interface Commit {
  readonly head: string;
  /** Root hash of the head before it. */
  readonly before: string;
  /** Root hash of the head after it; the same when nothing changed. */
  readonly tree: string;
  readonly changes: readonly TreeChange[];
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The caller's own rows. Must not be async. */
export type CommitRows = (commit: Commit) => void;

export interface CommitHost {
  readonly storage: StorageLike;
  readonly nodes: NodeStore;
  readonly now: () => number;
}

/**
 * Applies the changes to what the head is now and runs `rows` in the same synchronous transaction: either all of it is
 * stored or nothing. Commits on other paths since the overlay was opened are merged; one on the same path is
 * `tree-conflict`. What `rows` throws is thrown on. `rows` must not be async: storage would commit before it is done, so
 * a thenable is refused with `request-invalid`. `EIO` when a staged content is not there any more: stage again.
 */
export function commit(host: CommitHost, head: string, staged: StagedChanges, rows?: CommitRows): Commit {
  // In JavaScript, a promise that nobody awaited, or the overlay itself.
  if (!Array.isArray((staged as Partial<StagedChanges> | undefined)?.entries)) {
    throw new TenrecError("request-invalid", { reason: "a commit takes what `await store.stage(overlay)` gives" });
  }
  return moveHead(host, head, rows, (before, at) => {
    requireContents(host.storage, staged);
    return { tree: mergeChanges(host.nodes, before, staged.entries, at), changes: staged.changes };
  });
}

/** Sets a head in a transaction with the caller's rows. `next` says where to, from the tree that it is at. */
export function moveHead(
  { storage, now }: CommitHost,
  head: string,
  rows: CommitRows | undefined,
  next: (before: string, at: number) => Pick<Commit, "tree" | "changes">,
): Commit {
  return storage.transactionSync(() => {
    const at = now();
    const before = readHead(storage.sql, head);
    const { tree, changes } = next(before, at);
    if (tree !== before) replaceHead(storage.sql, head, tree, at);
    const done: Commit = { head, before, tree, changes, at };
    const result: unknown = rows?.(done);
    if (isThenable(result)) {
      // Its own failure would otherwise be reported as unhandled, beside the error below.
      result.then(undefined, () => {});
      throw new TenrecError("request-invalid", { reason: "the rows of a commit must be written synchronously" });
    }
    return done;
  });
}

// A content is kept while its overlay is; this is what stands between a mistake there and a file that cannot be read.
function requireContents({ sql }: StorageLike, { entries }: StagedChanges): void {
  const files = entries.flatMap(({ path, before, after }) =>
    after?.kind === "file" && (before?.kind !== "file" || before.hash !== after.hash)
      ? [{ path, hash: after.hash }]
      : [],
  );
  const absent = new Set(absentBlobs(sql, [...new Set(files.map(({ hash }) => hash))]));
  const lost = files.find(({ hash }) => absent.has(hash));
  if (lost) throw missing(lost.path, lost.hash);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
