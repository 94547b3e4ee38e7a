import { TenrecError } from "@tenrec/protocol";
import { type NameKey, nameKey } from "./fan-index.ts";
import { type DirectoryNode, decodeNode, encodeNode, type NodeRef, countEntries } from "./node.ts";
import type { SqlLike } from "./sql.ts";

/** Entries kept in memory over all cached nodes: some 15 MB. */
const MAX_CACHED_ENTRIES = 64_000;

const MAX_CACHED_KEYS = 256;

export const EMPTY_NODE: DirectoryNode = { kind: "leaf", entries: new Map() };

/** The hash of an empty directory, and so of the empty tree. It needs no row in the store. */
export const EMPTY_TREE: string = encodeNode(EMPTY_NODE).hash;

/** A row of a node. */
interface StoredNode {
  readonly hash: string;
  readonly kind: string;
  readonly entries: string;
  readonly mtimes: string;
}

/** Directory nodes by hash, with the lately used ones in memory. */
export class NodeStore {
  readonly #sql: SqlLike;
  // In order of use: a hit moves to the end, the first one is dropped.
  readonly #cache = new Map<string, DirectoryNode>();
  #cached = 0;
  readonly #keys = new Map<string, NameKey>();
  #written: Set<string> | undefined;

  constructor(sql: SqlLike) {
    this.#sql = sql;
  }

  /** As `nameKey`. One write asks for that of its name several times, and a hash takes longer than the rest of a lookup. */
  keyOf(name: string): NameKey {
    let key = this.#keys.get(name);
    if (key === undefined) {
      if (this.#keys.size >= MAX_CACHED_KEYS) this.#keys.clear();
      key = nameKey(name);
      this.#keys.set(name, key);
    }
    return key;
  }

  /** True when the store itself holds the node. The cache is not asked: it may know a node that was rolled back. */
  has(hash: string): boolean {
    return (
      hash === EMPTY_TREE || this.#sql.exec("SELECT 1 FROM tenrec_nodes WHERE hash = ?", hash).toArray().length > 0
    );
  }

  /** `EIO` when the node is missing. */
  load(hash: string): DirectoryNode {
    if (hash === EMPTY_TREE) return EMPTY_NODE;
    const known = this.#cache.get(hash);
    if (known) {
      this.#cache.delete(hash);
      this.#cache.set(hash, known);
      return known;
    }
    const [row] = this.#sql
      .exec<{ kind: string; entries: string; mtimes: string }>(
        "SELECT kind, entries, mtimes FROM tenrec_nodes WHERE hash = ?",
        hash,
      )
      .toArray();
    if (row === undefined) throw new TenrecError("EIO", { path: "/", reason: `directory node ${hash} is missing` });
    const node = decodeNode(row.kind, row.entries, row.mtimes);
    this.#remember(hash, node);
    return node;
  }

  /** Writes the node, also when the cache knows it: see `has`. */
  save(node: DirectoryNode): NodeRef {
    const encoded = encodeNode(node);
    const { hash } = encoded;
    if (hash !== EMPTY_TREE) {
      this.insert(encoded);
      if (!this.#cache.has(hash)) this.#remember(hash, node);
    }
    return { hash, count: countEntries(node) };
  }

  /** Writes a node as it is stored. All that is below it must be in the store, or written in the same transaction. */
  insert({ hash, kind, entries, mtimes }: StoredNode): void {
    this.#written?.add(hash);
    this.#sql.exec(
      "INSERT OR IGNORE INTO tenrec_nodes (hash, kind, entries, mtimes) VALUES (?, ?, ?, ?)",
      hash,
      kind,
      entries,
      mtimes,
    );
  }

  /** What is written from here on, rolled back or not, until disposed; one at a time. */
  recordWrites(): Disposable & { readonly hashes: ReadonlySet<string> } {
    const hashes = new Set<string>();
    this.#written = hashes;
    return { hashes, [Symbol.dispose]: () => void (this.#written = undefined) };
  }

  #remember(hash: string, node: DirectoryNode): void {
    this.#cache.set(hash, node);
    this.#cached += weigh(node);
    for (const [oldest, dropped] of this.#cache) {
      if (this.#cached <= MAX_CACHED_ENTRIES) break;
      this.#cache.delete(oldest);
      this.#cached -= weigh(dropped);
    }
  }
}

function weigh(node: DirectoryNode): number {
  return node.kind === "leaf" ? node.entries.size + 1 : node.children.length;
}
