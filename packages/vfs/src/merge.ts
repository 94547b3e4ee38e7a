import { TenrecError } from "@tenrec/protocol";
import { eachEntry, lookup } from "./directory.ts";
import { updateDirectory } from "./directory-update.ts";
import { type DirectoryEntry, type Entry, sameEntry } from "./entry.ts";
import { EMPTY_TREE, type NodeStore } from "./node-store.ts";
import type { EntryChange } from "./overlay/staged-entries.ts";
import { compareText, splitPath } from "./path.ts";

/** Changes as a tree of names. */
interface Plan {
  own?: EntryChange;
  readonly below: Map<string, Plan>;
}

interface Merge {
  readonly nodes: NodeStore;
  readonly at: number;
  readonly conflicts: Set<string>;
}

/**
 * Writes the tree that `current` becomes with these changes, which were made on another tree, and returns its hash. A
 * path that is not as it was there, nor already as wanted, is an overlap: `tree-conflict` with all of them.
 */
export function mergeChanges(nodes: NodeStore, current: string, changes: readonly EntryChange[], at: number): string {
  const root: Plan = { below: new Map() };
  for (const change of changes) planFor(root, change.path).own = change;
  const merge: Merge = { nodes, at, conflicts: new Set() };
  const tree = mergeDirectory(merge, current, root, "");
  if (merge.conflicts.size > 0) {
    throw new TenrecError("tree-conflict", { paths: [...merge.conflicts].sort(compareText) });
  }
  return tree;
}

function planFor(root: Plan, path: string): Plan {
  let plan = root;
  for (const name of splitPath(path)) {
    let next = plan.below.get(name);
    if (next === undefined) plan.below.set(name, (next = { below: new Map() }));
    plan = next;
  }
  return plan;
}

function mergeDirectory(merge: Merge, current: string, plan: Plan, path: string): string {
  const updates = new Map<string, Entry | undefined>();
  for (const [name, child] of plan.below) {
    const before = lookup(merge.nodes, current, name);
    const after = mergeEntry(merge, before, child, `${path}/${name}`);
    if (after !== before) updates.set(name, after);
  }
  return updateDirectory(merge.nodes, current, updates);
}

function mergeEntry(merge: Merge, current: Entry | undefined, plan: Plan, path: string): Entry | undefined {
  const { own, below } = plan;
  const wanted = own ? mergeOwn(merge, current, own) : current;
  if (wanted?.kind === "directory") {
    const from = current?.kind === "directory" ? current.hash : EMPTY_TREE;
    const hash = mergeDirectory(merge, from, plan, path);
    if (wanted === current && hash === from) return current;
    return { ...wanted, hash, mtime: hash === from ? wanted.mtime : merge.at };
  }
  if (current?.kind === "directory" && own?.before?.kind === "directory") {
    refuseLeftovers(merge, current, plan, path);
  } else {
    refuseOrphans(merge, below);
  }
  return wanted;
}

function mergeOwn(merge: Merge, current: Entry | undefined, own: EntryChange): Entry | undefined {
  if (sameEntry(current, own.before)) return own.after;
  // The other commit did the same; a directory that both made holds what both put there.
  const bothMade = own.before === undefined && own.after?.kind === "directory" && current?.kind === "directory";
  if (!bothMade && !sameEntry(current, own.after)) merge.conflicts.add(own.path);
  return current;
}

// A directory is to go: whatever the other commit left or put in it is an overlap.
function refuseLeftovers(merge: Merge, current: DirectoryEntry, plan: Plan, path: string): void {
  const rest = mergeDirectory(merge, current.hash, plan, path);
  for (const [name] of eachEntry(merge.nodes, rest)) merge.conflicts.add(`${path}/${name}`);
}

// The directory around these changes is gone: to remove something in it is done, anything else is an overlap.
function refuseOrphans(merge: Merge, below: ReadonlyMap<string, Plan>): void {
  for (const { own, below: deeper } of below.values()) {
    if (own?.after !== undefined) merge.conflicts.add(own.path);
    refuseOrphans(merge, deeper);
  }
}
