import type { DurableEvent } from "@tenrec/protocol";
import type { TreeChange, TreeStore } from "@tenrec/vfs";
import { setImmediate } from "node:timers/promises";
import { liveEvents } from "./live-events.ts";
import { type OwnChange, ownChanges } from "./own-changes.ts";

/** Pairs of trees that are compared before others get their turn. */
const PAIRS_BETWEEN_YIELDS = 16;

/** A path that is to be as it is in another tree. */
export interface Restore {
  readonly path: string;
  readonly tree: string;
  /** SHA-256 of what it will hold; undefined when it will not be there. */
  readonly content: string | undefined;
}

export interface RestorePlan {
  readonly restores: readonly Restore[];
  /** Paths that others changed among or after these changes, sorted. */
  readonly conflicts: readonly string[];
}

/** What leads from the events that count now to those that counted after `toSeq`, for each path that changes. */
function stepsByPath(
  trees: TreeStore,
  events: readonly DurableEvent[],
  toSeq: number,
): Map<string, readonly OwnChange[]> {
  const now = ownChanges(trees, liveEvents(events));
  const then = ownChanges(trees, liveEvents(events.filter(({ seq }) => seq <= toSeq)));
  const [inNow, inThen] = [now, then].map((changes) => new Set(changes.map(({ seq }) => seq)));
  const taken = now.filter(({ seq }) => !inThen?.has(seq)).toReversed();
  const back = taken.map(({ before, after, from, to, ...change }) => ({
    ...change,
    before: after,
    after: before,
    from: to,
    to: from,
  }));
  return Map.groupBy([...back, ...then.filter(({ seq }) => !inNow?.has(seq))], ({ path }) => path);
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
 * What is to be done to the tree `current`, so that what a session's own turns did to files is as it was after the event
 * `toSeq`: what was done since is taken back, and what an undo had taken back comes again. What others did stays.
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
    restores.push({ path, tree: last.to, content: last.after });
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
  const changes = new Map(trees.changes(from, to).map((change) => [change.path, change]));
  const wanted = new Map(restores.map(({ path, content }) => [path, content]));
  if ([...changes.keys()].some((path) => !wanted.has(path))) return false;
  const compare = new Comparison(trees);
  return restores.every(({ path, tree }) => !compare.of(path, tree, to));
}
