import { listDirectory, lookup } from "../directory.ts";
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
  if (!isChanged(directory)) return listDirectory(nodes, directory.hash);
  const stored = directory.base === undefined ? [] : listDirectory(nodes, directory.base);
  if (directory.names.size === 0) return stored;
  const list: (readonly [string, OverlayEntry])[] = stored.filter(([name]) => !directory.names.has(name));
  for (const [name, entry] of directory.names) if (entry) list.push([name, entry]);
  return list.sort((a, b) => compareText(a[0], b[0]));
}
