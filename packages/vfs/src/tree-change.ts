import { contentHash, type Entry } from "./entry.ts";

/**
 * A file or a link that differs between two trees. `before` and `after` are SHA-256 of the content, or of a link's
 * target; both are the same when only the mode changed. Directories are not listed.
 */
export interface TreeChange {
  readonly path: string;
  readonly change: "create" | "modify" | "delete";
  readonly before?: string;
  readonly after?: string;
}

/** The change of one path, `undefined` when it is about directories only. */
export function treeChange(path: string, from: Entry | undefined, to: Entry | undefined): TreeChange | undefined {
  const before = contentHash(from);
  const after = contentHash(to);
  if (before !== undefined && after !== undefined) return { path, change: "modify", before, after };
  if (after !== undefined) return { path, change: "create", after };
  if (before !== undefined) return { path, change: "delete", before };
  return undefined;
}
