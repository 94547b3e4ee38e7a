import type { Entry } from "./entry.ts";
import { fanIndex } from "./fan-index.ts";
import type { NodeStore } from "./node-store.ts";
import { compareText } from "./path.ts";

/** The entry of one name in the directory with this hash. */
export function lookup(nodes: NodeStore, directory: string, name: string): Entry | undefined {
  let node = nodes.load(directory);
  if (node.kind === "leaf") return node.entries.get(name);
  const key = nodes.keyOf(name);
  for (let depth = 0; node.kind === "fan"; depth++) {
    const child = node.children[fanIndex(key, depth)];
    if (child === undefined) return undefined;
    node = nodes.load(child.hash);
  }
  return node.entries.get(name);
}

/** Every entry of a directory, in no order. */
export function* eachEntry(nodes: NodeStore, directory: string): Generator<readonly [string, Entry]> {
  const node = nodes.load(directory);
  if (node.kind === "leaf") {
    yield* node.entries;
    return;
  }
  for (const child of node.children) if (child) yield* eachEntry(nodes, child.hash);
}

/** Every entry of a directory, sorted by name. */
export function listDirectory(nodes: NodeStore, directory: string): (readonly [string, Entry])[] {
  return [...eachEntry(nodes, directory)].sort((a, b) => compareText(a[0], b[0]));
}
