import { decodeNode } from "./node.ts";
import { EMPTY_TREE } from "./node-store.ts";
import type { SqlLike } from "./sql.ts";

/** What trees refer to, as it is found. */
export interface Marks {
  /** Hashes of directory nodes; all that is below a node in it is in it too, or about to be. */
  readonly nodes: Set<string>;
  readonly contents: Set<string>;
}

export function newMarks(): Marks {
  return { nodes: new Set([EMPTY_TREE]), contents: new Set() };
}

/**
 * Marks everything in a tree and yields after each node, so that the caller can rest; the marks are whole when it is done.
 * What was marked before is not read again. A node that is missing refers to nothing.
 */
export function* markTree(sql: SqlLike, marks: Marks, tree: string): Generator<void> {
  const pending = [tree];
  for (let hash = pending.pop(); hash !== undefined; hash = pending.pop()) {
    if (marks.nodes.has(hash)) continue;
    marks.nodes.add(hash);
    const [row] = sql
      .exec<{ kind: string; entries: string }>("SELECT kind, entries FROM tenrec_nodes WHERE hash = ?", hash)
      .toArray();
    if (row === undefined) {
      // It may come yet: somebody can write this very tree before the marks are used.
      marks.nodes.delete(hash);
      continue;
    }
    const node = decodeNode(row.kind, row.entries, "[]");
    if (node.kind === "fan") {
      for (const child of node.children) if (child) pending.push(child.hash);
    } else {
      for (const entry of node.entries.values()) {
        if (entry.kind === "directory") pending.push(entry.hash);
        else if (entry.kind === "file") marks.contents.add(entry.hash);
      }
    }
    yield;
  }
}
