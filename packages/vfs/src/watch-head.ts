import { hasCode } from "@tenrec/protocol";
import { storeParts, type TreeStore } from "./tree-store.ts";
import type { TreeChange } from "./tree-change.ts";

/** What became of a head since it was last looked at. */
export interface HeadMove {
  readonly head: string;
  readonly before: string;
  readonly tree: string;
  /** Files and links, sorted by path. */
  readonly changes: readonly TreeChange[];
}

export interface WatchHeadOptions {
  /** The tree that was seen last; default: what the head is at when the watch begins. */
  readonly after?: string;
  /** Its `reason` is thrown when it aborts. */
  readonly signal?: AbortSignal;
}

/**
 * Says how a head moves, from `after` on. A consumer that is slow misses no change and makes nothing pile up: it gets what
 * differs between the tree it saw last and the one that is current when it asks. Ends when the head is removed.
 * `tree-not-found` when there is no such head at first, or when the tree that was seen is gone.
 */
export async function* watchHead(
  store: TreeStore,
  head: string,
  { after, signal }: WatchHeadOptions = {},
): AsyncGenerator<HeadMove> {
  const { moves, pins } = storeParts(store);
  let seen = after ?? store.head(head);
  store.head(head);
  for (;;) {
    signal?.throwIfAborted();
    using _pin = pins.hold([seen]);
    // Before the head is read: what moves it afterwards is not missed.
    const moved = moves.next(head, signal);
    const tree = headNow(store, head);
    if (tree === undefined) return;
    if (tree === seen) {
      await moved;
      continue;
    }
    moved.catch(() => {});
    yield { head, before: seen, tree, changes: store.changes(seen, tree) };
    seen = tree;
  }
}

function headNow(store: TreeStore, head: string): string | undefined {
  try {
    return store.head(head);
  } catch (error) {
    if (hasCode(error, "tree-not-found")) return undefined;
    throw error;
  }
}
