import { TenrecError } from "@tenrec/protocol";
import type { NodeStore } from "./node-store.ts";
import { byteLength } from "./path.ts";
import type { SqlLike, StorageLike } from "./sql.ts";

const MAX_NAME_BYTES = 1024;

/** `tree-not-found` for a name that was never set, or that is gone. */
export function readHead(sql: SqlLike, name: string): string {
  if (typeof name !== "string") throw noTree(name);
  const [row] = sql.exec<{ tree: string }>("SELECT tree FROM tenrec_heads WHERE name = ?", name).toArray();
  if (row === undefined) throw noTree(name);
  return row.tree;
}

/** `EINVAL` for what is no name. */
export function writeHead(sql: SqlLike, name: string, tree: string, at: number): void {
  checkName(name);
  sql.exec("INSERT OR REPLACE INTO tenrec_heads (name, tree, changed_at) VALUES (?, ?, ?)", name, tree, at);
}

/** Of a head that is there. */
export function replaceHead(sql: SqlLike, name: string, tree: string, at: number): void {
  sql.exec("UPDATE tenrec_heads SET tree = ?, changed_at = ? WHERE name = ?", tree, at, name);
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
  if (typeof tree !== "string" || !nodes.has(tree)) throw noTree(tree);
}

function noTree(name: string): TenrecError<"tree-not-found"> {
  return new TenrecError("tree-not-found", { tree: String(name).slice(0, 200) });
}

function checkName(name: string): void {
  const refuse = (reason: string): never => {
    throw new TenrecError("EINVAL", { path: String(name).slice(0, 200), reason: `a head's name ${reason}` });
  };
  if (typeof name !== "string" || name === "") refuse("is some text");
  // Each half of a surrogate pair would be stored as the same character, so two names would be one head.
  if (name.includes("\0") || !name.isWellFormed()) refuse("is valid Unicode without a NUL");
  if (byteLength(name) > MAX_NAME_BYTES) refuse(`has at most ${MAX_NAME_BYTES} bytes`);
}
