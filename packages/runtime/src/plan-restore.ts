import type { DurableEvent } from "@tenrec/protocol";
import type { TreeChange, TreeStore } from "@tenrec/vfs";
import { setImmediate } from "node:timers/promises";
import { type OwnChange, ownChanges } from "./own-changes.ts";

/** Pairs of trees that are compared before others get their turn. */
const PAIRS_BETWEEN_YIELDS = 16;

/** A path that is to be as it is in another tree. */
export interface Restore {
  readonly path: string;
  readonly tree: string;
}

export interface RestorePlan {
  readonly restores: readonly Restore[];
  /** Paths that others changed among or after these changes, sorted. */
  readonly conflicts: readonly string[];
}

/** The session's own changes after `toSeq`, backwards, for each path. */
function stepsByPath(
  trees: TreeStore,
  events: readonly DurableEvent[],
  toSeq: number,
): Map<string, readonly OwnChange[]> {
  const taken = ownChanges(trees, events).filter(({ seq }) => seq > toSeq);
  const back = taken.toReversed().map(({ path, seq, before, after, from, to }): OwnChange => ({
    path,
    seq,
    before: after,
    after: before,
    from: to,
    to: from,
  }));
  return Map.groupBy(back, ({ path }) => path);
}

/** Compares trees, each pair once. */
class Comparison {
  readonly #trees: Pick<TreeStore, "changes">;
  readonly #known = new Map<string, ReadonlyMap<string, TreeChange>>();

  constructor(trees: Pick<TreeStore, "changes">) {
    this.#trees = trees;
  }

  get pairs(): number {
    return this.#known.size;
  }

  /** The change of a path between two trees; undefined when it is the same in both. */
  of(path: string, from: string, to: string): TreeChange | undefined {
    const key = `${from} ${to}`;
    let known = this.#known.get(key);
    if (!known) {
      known = new Map(this.#trees.changes(from, to).map((change) => [change.path, change]));
      this.#known.set(key, known);
    }
    return known.get(path);
  }
}

/** Whether nobody else changed the path between or after these changes, seen from the tree `current`. */
function isUntouched(compare: Comparison, path: string, steps: readonly OwnChange[], current: string): boolean {
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last || compare.of(path, first.from, current)) return false;
  // What comes back is that of the last step, so it must be in the tree that stands for it.
  const change = compare.of(path, last.from, last.to);
  if ((change ? change.after : last.before) !== last.after) return false;
  return steps.every((step, i) => i === 0 || steps[i - 1]?.after === step.before);
}

/**
 * What is to be done to the tree `current`, so that what a session itself did to files after the event `toSeq` is taken
 * back: what its turns did, and what its undos did. What others did stays.
 */
export async function planRestore(
  trees: TreeStore,
  events: readonly DurableEvent[],
  toSeq: number,
  current: string,
): Promise<RestorePlan> {
  const compare = new Comparison(trees);
  const restores: Restore[] = [];
  const conflicts: string[] = [];
  let pairs = 0;
  for (const [path, steps] of stepsByPath(trees, events, toSeq)) {
    const last = steps.at(-1);
    if (!last) continue;
    restores.push({ path, tree: last.to });
    // Somebody did the same by hand, or all of it came to nothing.
    const isThere = !compare.of(path, last.to, current);
    if (!isThere && !isUntouched(compare, path, steps, current)) conflicts.push(path);
    if (compare.pairs < pairs + PAIRS_BETWEEN_YIELDS) continue;
    pairs = compare.pairs;
    await setImmediate();
  }
  return { restores, conflicts: conflicts.sort() };
}

/** Whether all that differs between two trees is these paths, and each is as it is to be: then one is as good as the other. */
export function isWhole(trees: TreeStore, { restores, conflicts }: RestorePlan, from: string, to: string): boolean {
  if (conflicts.length > 0) return false;
  const wanted = new Set(restores.map(({ path }) => path));
  if (trees.changes(from, to).some(({ path }) => !wanted.has(path))) return false;
  const compare = new Comparison(trees);
  return restores.every(({ path, tree }) => !compare.of(path, tree, to));
}
