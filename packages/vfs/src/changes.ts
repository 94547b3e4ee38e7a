import { eachEntry } from "./directory.ts";
import { type Entry, sameEntry } from "./entry.ts";
import type { NodeStore } from "./node-store.ts";
import { compareText } from "./path.ts";

/** A path and what it is in two trees. */
export interface Difference {
  readonly path: string;
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

/** Every path that differs, directories included, sorted. Subtrees with the same hash are not read. */
export function differences(nodes: NodeStore, a: string, b: string): Difference[] {
  return [...walk(nodes, a, b, "")].sort((x, y) => compareText(x.path, y.path));
}

function* walk(nodes: NodeStore, a: string | undefined, b: string | undefined, path: string): Generator<Difference> {
  for (const [name, [before, after]] of differingNames(nodes, a, b)) {
    const full = `${path}/${name}`;
    if (!sameEntry(before, after)) yield { path: full, before, after };
    yield* walk(nodes, directoryHash(before), directoryHash(after), full);
  }
}

type Pair = readonly [Entry | undefined, Entry | undefined];

function differingNames(nodes: NodeStore, a: string | undefined, b: string | undefined): Map<string, Pair> {
  if (a === b) return new Map();
  const [left, right] = [a, b].map((hash) => (hash === undefined ? undefined : nodes.load(hash)));
  if (left?.kind !== "fan" || right?.kind !== "fan") return compareEntries(nodes, a, b);
  return new Map(
    left.children.flatMap((child, index) => [...differingNames(nodes, child?.hash, right.children[index]?.hash)]),
  );
}

function compareEntries(nodes: NodeStore, a: string | undefined, b: string | undefined): Map<string, Pair> {
  const pairs = new Map<string, Pair>();
  for (const [name, entry] of entriesOf(nodes, a)) pairs.set(name, [entry, undefined]);
  for (const [name, entry] of entriesOf(nodes, b)) {
    const before = pairs.get(name)?.[0];
    if (sameEntry(before, entry) && directoryHash(before) === directoryHash(entry)) pairs.delete(name);
    else pairs.set(name, [before, entry]);
  }
  return pairs;
}

function entriesOf(nodes: NodeStore, directory: string | undefined): Iterable<readonly [string, Entry]> {
  return directory === undefined ? [] : eachEntry(nodes, directory);
}

function directoryHash(entry: Entry | undefined): string | undefined {
  return entry?.kind === "directory" ? entry.hash : undefined;
}
