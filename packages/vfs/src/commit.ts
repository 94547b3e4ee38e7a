import { TenrecError } from "@tenrec/protocol";
import { readHead, writeHead } from "./heads.ts";
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

export interface CommitHost {
  readonly storage: StorageLike;
  readonly nodes: NodeStore;
  readonly now: () => number;
}

/**
 * Applies the changes to what the head is now and runs `rows` in the same synchronous transaction: either all of it is
 * stored or nothing. Commits on other paths since the overlay was opened are merged; one on the same path is
 * `tree-conflict`. What `rows` throws is thrown on. `rows` must not be async: storage would commit before it is done, so
 * a thenable is refused with `request-invalid`.
 */
export function commit(host: CommitHost, head: string, staged: StagedChanges, rows?: (commit: Commit) => void): Commit {
  return host.storage.transactionSync(() => {
    const at = host.now();
    const before = readHead(host.storage.sql, head);
    const tree = mergeChanges(host.nodes, before, staged.entries, at);
    if (tree !== before) writeHead(host.storage.sql, head, tree, at);
    const done: Commit = { head, before, tree, changes: staged.changes, at };
    const result: unknown = rows?.(done);
    if (isThenable(result)) {
      // Its own failure would otherwise be reported as unhandled, beside the error below.
      result.then(undefined, () => {});
      throw new TenrecError("request-invalid", { reason: "the rows of a commit must be written synchronously" });
    }
    return done;
  });
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
