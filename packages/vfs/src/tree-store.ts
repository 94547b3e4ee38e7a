import type { FileDiff } from "@tenrec/protocol";
import { differences } from "./changes.ts";
import { addCheckpoint, type Checkpoint, listCheckpoints } from "./checkpoints.ts";
import { commit, type Commit } from "./commit.ts";
import { diffTrees, type DiffOptions } from "./diff.ts";
import { readHead, requireTree, writeHead } from "./heads.ts";
import { manifest, type ManifestEntry } from "./manifest.ts";
import { EMPTY_TREE, NodeStore } from "./node-store.ts";
import { Overlay } from "./overlay/overlay.ts";
import { createState } from "./overlay/state.ts";
import { createSchema } from "./schema.ts";
import type { StorageLike } from "./sql.ts";
import { stage, type StagedChanges } from "./stage.ts";
import { type TreeChange, treeChange } from "./tree-change.ts";
import { usage, type Usage } from "./usage.ts";

const MEBIBYTE = 1024 * 1024;

export interface TreeStoreOptions {
  /** Milliseconds since the epoch; default `Date.now`. */
  readonly now?: () => number;
  /** Largest file that an overlay accepts; default 100 MiB. */
  readonly maxFileBytes?: number;
}

/**
 * Trees of files in a Durable Object's SQLite. A tree is a root hash over content-addressed directories and files and
 * never changes; a head is a name for the tree that is current. Creates its tables when they are missing.
 */
export class TreeStore {
  /** Root hash of the tree without files. Always known. */
  readonly emptyTree: string = EMPTY_TREE;
  readonly #storage: StorageLike;
  readonly #nodes: NodeStore;
  readonly #now: () => number;
  readonly #maxFileBytes: number;

  constructor(storage: StorageLike, options: TreeStoreOptions = {}) {
    createSchema(storage);
    this.#storage = storage;
    this.#nodes = new NodeStore(storage.sql);
    this.#now = options.now ?? Date.now;
    this.#maxFileBytes = options.maxFileBytes ?? 100 * MEBIBYTE;
  }

  /** Root hash of a head; `tree-not-found` for an unknown name. */
  head(name: string): string {
    return readHead(this.#storage.sql, name);
  }

  /** Creates a head, forks one (`setHead(copy, head(name))`) or reverts one: one row. `tree-not-found` for an unknown tree. */
  setHead(name: string, tree: string): void {
    requireTree(this.#nodes, tree);
    writeHead(this.#storage.sql, name, tree, this.#now());
  }

  /** A file system over a tree, with its writes in memory; `maxBytes` defaults to 64 MiB. `tree-not-found` for an unknown tree. */
  overlay(tree: string, options: { readonly maxBytes?: number } = {}): Overlay {
    requireTree(this.#nodes, tree);
    const { sql } = this.#storage;
    const host = { sql, nodes: this.#nodes, now: this.#now, maxFileBytes: this.#maxFileBytes };
    return new Overlay(createState(host, tree, options.maxBytes ?? 64 * MEBIBYTE));
  }

  /** Stores the contents that an overlay has and the store lacks. Changes no head. */
  stage(overlay: Overlay): Promise<StagedChanges> {
    return stage(overlay);
  }

  /** Makes staged changes part of a head, together with the caller's rows, in one transaction. See commit.ts. */
  commit(head: string, staged: StagedChanges, rows?: (commit: Commit) => void): Commit {
    return commit({ storage: this.#storage, nodes: this.#nodes, now: this.#now }, head, staged, rows);
  }

  /** Keeps the tree that a head has now: one row. */
  checkpoint(head: string, label: string): Checkpoint {
    return addCheckpoint(this.#storage, head, label, this.#now());
  }

  /** The oldest one first; empty for an unknown head. */
  checkpoints(head: string): Checkpoint[] {
    return listCheckpoints(this.#storage, head);
  }

  /** Files and links that differ, sorted by path. Reads only what differs. */
  changes(a: string, b: string): TreeChange[] {
    for (const tree of [a, b]) requireTree(this.#nodes, tree);
    return differences(this.#nodes, a, b).flatMap(({ path, before, after }) => treeChange(path, before, after) ?? []);
  }

  /** The same as unified diffs, with what was removed here and created there as one. */
  async diff(a: string, b: string, options: DiffOptions = {}): Promise<FileDiff[]> {
    for (const tree of [a, b]) requireTree(this.#nodes, tree);
    return diffTrees(this.#storage.sql, this.#nodes, { before: a, after: b }, options);
  }

  /** Every path of a tree. */
  manifest(tree: string): ManifestEntry[] {
    requireTree(this.#nodes, tree);
    return manifest(this.#nodes, tree);
  }

  /** A meter of what is stored. */
  usage(): Usage {
    return usage(this.#storage.sql);
  }
}
