import type { Entry } from "./entry.ts";
import { eachEntry } from "./directory.ts";
import { fanIndex, MAX_FAN_DEPTH, type NameKey } from "./fan-index.ts";
import { FAN_WIDTH, MAX_LEAF_ENTRIES, type NodeRef } from "./node.ts";
import { EMPTY_NODE, type NodeStore } from "./node-store.ts";

interface NameChange {
  readonly name: string;
  /** `undefined` removes the name. */
  readonly entry: Entry | undefined;
  key?: NameKey;
}

/**
 * Writes the directory that differs from `base` in these names and returns its hash. The nodes follow from the entries
 * alone, so the hash does not depend on how a directory came to be. Nodes that did not change are not written.
 */
export function updateDirectory(
  nodes: NodeStore,
  base: string,
  changes: ReadonlyMap<string, Entry | undefined>,
): string {
  if (changes.size === 0) return base;
  const list = [...changes].map(([name, entry]): NameChange => ({ name, entry }));
  return update(nodes, base, list, 0).hash;
}

function update(nodes: NodeStore, base: string | undefined, changes: readonly NameChange[], depth: number): NodeRef {
  const node = base === undefined ? EMPTY_NODE : nodes.load(base);
  if (node.kind === "leaf") {
    const entries = new Map(node.entries);
    for (const { name, entry } of changes) {
      if (entry) entries.set(name, entry);
      else entries.delete(name);
    }
    return build(nodes, entries, depth);
  }
  const children = [...node.children];
  for (const [index, group] of groupByChild(nodes, changes, depth)) {
    const child = update(nodes, children[index]?.hash, group, depth + 1);
    children[index] = child.count > 0 ? child : undefined;
  }
  const count = children.reduce((sum, child) => sum + (child?.count ?? 0), 0);
  if (count > MAX_LEAF_ENTRIES) return nodes.save({ kind: "fan", children });
  const entries = children.flatMap((child) => (child ? [...eachEntry(nodes, child.hash)] : []));
  return build(nodes, new Map(entries), depth);
}

function build(nodes: NodeStore, entries: ReadonlyMap<string, Entry>, depth: number): NodeRef {
  if (entries.size <= MAX_LEAF_ENTRIES || depth === MAX_FAN_DEPTH) return nodes.save({ kind: "leaf", entries });
  const children = Array.from<NodeRef | undefined>({ length: FAN_WIDTH });
  const changes = [...entries].map(([name, entry]): NameChange => ({ name, entry }));
  for (const [index, group] of groupByChild(nodes, changes, depth)) {
    const part = new Map(group.flatMap(({ name, entry }) => (entry ? [[name, entry] as const] : [])));
    children[index] = build(nodes, part, depth + 1);
  }
  return nodes.save({ kind: "fan", children });
}

function groupByChild(nodes: NodeStore, changes: readonly NameChange[], depth: number): Map<number, NameChange[]> {
  return Map.groupBy(changes, (change) => {
    change.key ??= nodes.keyOf(change.name);
    return fanIndex(change.key, depth);
  });
}
