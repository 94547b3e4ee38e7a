import { eachEntry, lookup } from "../directory.ts";
import type { NodeStore } from "../node-store.ts";
import { compareText } from "../path.ts";
import { type AnyDirectory, isChanged, type OverlayEntry } from "./state.ts";

/** The entry of one name, with what was changed here over what is stored. */
export function childOf(nodes: NodeStore, directory: AnyDirectory, name: string): OverlayEntry | undefined {
  if (!isChanged(directory)) return lookup(nodes, directory.hash, name);
  const own = directory.names.get(name);
  if (own !== undefined) return own ?? undefined;
  return directory.base === undefined ? undefined : lookup(nodes, directory.base, name);
}

/** Every entry of a directory, sorted by name. */
export function childrenOf(nodes: NodeStore, directory: AnyDirectory): (readonly [string, OverlayEntry])[] {
  return [...eachChild(nodes, directory)].sort((a, b) => compareText(a[0], b[0]));
}

/** Every entry of a directory, in no order. */
export function* eachChild(nodes: NodeStore, directory: AnyDirectory): Generator<readonly [string, OverlayEntry]> {
  if (!isChanged(directory)) {
    yield* eachEntry(nodes, directory.hash);
    return;
  }
  const { base, names } = directory;
  if (base !== undefined) for (const entry of eachEntry(nodes, base)) if (!names.has(entry[0])) yield entry;
  for (const [name, entry] of names) if (entry) yield [name, entry];
}
