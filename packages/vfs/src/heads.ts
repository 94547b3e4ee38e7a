import { TenrecError } from "@tenrec/protocol";
import type { NodeStore } from "./node-store.ts";
import type { SqlLike, StorageLike } from "./sql.ts";

/** `tree-not-found` for a name that was never set, or that is gone. */
export function readHead(sql: SqlLike, name: string): string {
  const [row] = sql.exec<{ tree: string }>("SELECT tree FROM tenrec_heads WHERE name = ?", name).toArray();
  if (row === undefined) throw new TenrecError("tree-not-found", { tree: name });
  return row.tree;
}

export function writeHead(sql: SqlLike, name: string, tree: string, at: number): void {
  sql.exec("INSERT OR REPLACE INTO tenrec_heads (name, tree, changed_at) VALUES (?, ?, ?)", name, tree, at);
}

/** Its checkpoints go with it. False when there is no such head. */
export function removeHead(storage: StorageLike, name: string): boolean {
  return storage.transactionSync(() => {
    storage.sql.exec("DELETE FROM tenrec_checkpoints WHERE head = ?", name);
    return storage.sql.exec("DELETE FROM tenrec_heads WHERE name = ? RETURNING name", name).toArray().length > 0;
  });
}

/** `tree-not-found` for a hash that the store does not hold. */
export function requireTree(nodes: NodeStore, tree: string): void {
  if (!nodes.has(tree)) throw new TenrecError("tree-not-found", { tree });
}
