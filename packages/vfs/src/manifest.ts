import { listDirectory } from "./directory.ts";
import { contentHash, type DirectoryEntry, type Entry, LINK_MODE } from "./entry.ts";
import type { NodeStore } from "./node-store.ts";
import { byteLength } from "./path.ts";

/** One path of a tree. */
export interface ManifestEntry {
  readonly path: string;
  readonly kind: "file" | "symlink" | "directory";
  readonly mode: number;
  /** As `FsStat.size`. */
  readonly size: number;
  /** SHA-256 of a file's content or a link's target; a directory's node hash. */
  readonly hash: string;
}

/** Every entry of a tree but the root, a directory before what is in it, names in order. */
function* walkTree(nodes: NodeStore, tree: string, path = ""): Generator<readonly [string, Entry]> {
  for (const [name, entry] of listDirectory(nodes, tree)) {
    const full = `${path}/${name}`;
    yield [full, entry];
    if (entry.kind === "directory") yield* walkTree(nodes, entry.hash, full);
  }
}

export function manifest(nodes: NodeStore, tree: string): ManifestEntry[] {
  return Array.from(walkTree(nodes, tree), ([path, entry]): ManifestEntry => {
    const { kind } = entry;
    const hash = contentHash(entry) ?? (entry as DirectoryEntry).hash;
    if (kind === "symlink") return { path, kind, mode: LINK_MODE, size: byteLength(entry.target), hash };
    return { path, kind, mode: entry.mode, size: kind === "file" ? entry.size : 0, hash };
  });
}
