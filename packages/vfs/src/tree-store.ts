import type { FileDiff } from "@tenrec/protocol";
import type { BucketOptions } from "./bucket.ts";
import { differences } from "./changes.ts";
import { checkLimit } from "./check-limit.ts";
import { addCheckpoint, type Checkpoint, listCheckpoints } from "./checkpoints.ts";
import { commit, type Commit, type CommitRows, moveHead } from "./commit.ts";
import { diffTrees, type DiffOptions } from "./diff.ts";
import { readHead, removeHead, requireTree, writeHead } from "./heads.ts";
import type { Maintained } from "./maintain.ts";
import { manifest, type ManifestEntry } from "./manifest.ts";
import { Moves } from "./moves.ts";
import { EMPTY_TREE, NodeStore } from "./node-store.ts";
import { Overlay } from "./overlay/overlay.ts";
import { createState } from "./overlay/state.ts";
import { Pins } from "./pins.ts";
import { ContentFilters } from "./search/content-filters.ts";
import { createSchema } from "./schema.ts";
import type { StorageLike } from "./sql.ts";
import { stage, type StagedChanges } from "./stage.ts";
import { type TreeChange, treeChange } from "./tree-change.ts";
import { typedStorage } from "./typed-storage.ts";
import { usage, type Usage } from "./usage.ts";

const MEBIBYTE = 1024 * 1024;

export interface TreeStoreOptions {
  /** Milliseconds since the epoch; default `Date.now`. */
  readonly now?: () => number;
  /** Largest file that an overlay accepts; default 100 MiB. */
  readonly maxFileBytes?: number;
  /** Where `maintain` may move large contents; default nowhere. */
  readonly bucket?: BucketOptions;
}

/** What a store works on, for the other parts of this package. */
export interface StoreParts {
  readonly storage: StorageLike;
  readonly nodes: NodeStore;
  readonly now: () => number;
  readonly maxFileBytes: number;
  readonly bucket: BucketOptions | undefined;
  readonly pins: Pins;
  readonly filters: ContentFilters;
  readonly moves: Moves;
  /** The one that is running. */
  maintenance?: Promise<Maintained> | undefined;
}

let partsOf: (store: TreeStore) => StoreParts;

/**
 * Trees of files in a Durable Object's SQLite. A tree is a root hash over content-addressed directories and files and
 * never changes; a head is a name for the tree that is current. Creates its tables when they are missing. There must be
 * one store for a storage: it knows which work is in progress.
 */
export class TreeStore {
  /** Root hash of the tree without files. Always known. */
  readonly emptyTree: string = EMPTY_TREE;
  readonly #parts: StoreParts;

  constructor(storage: StorageLike, options: TreeStoreOptions = {}) {
    createSchema(storage);
    const typed = typedStorage(storage);
    this.#parts = {
      storage: typed,
      nodes: new NodeStore(typed.sql),
      now: options.now ?? Date.now,
      maxFileBytes: checkLimit("maxFileBytes", options.maxFileBytes ?? 100 * MEBIBYTE),
      bucket: options.bucket,
      pins: new Pins(),
      filters: new ContentFilters(),
      moves: new Moves(),
    };
  }

  static {
    partsOf = (store) => store.#parts;
  }

  /** Root hash of a head; `tree-not-found` for an unknown name. */
  head(name: string): string {
    return readHead(this.#parts.storage.sql, name);
  }

  /** Creates a head, or forks one (`setHead(copy, head(name))`): one row. `tree-not-found` for an unknown tree, `EINVAL` for what is no name. */
  setHead(name: string, tree: string): void {
    const { storage, nodes, now, moves } = this.#parts;
    requireTree(nodes, tree);
    writeHead(storage.sql, name, tree, now());
    moves.tell(name);
  }

  /** Forgets a head and its checkpoints; false when there is none. `maintain` frees what only they had. */
  removeHead(name: string): boolean {
    const removed = removeHead(this.#parts.storage, name);
    this.#parts.moves.tell(name);
    return removed;
  }

  /** A file system over a tree, with its writes in memory; `maxBytes` defaults to 64 MiB. `tree-not-found` for an unknown tree. */
  overlay(tree: string, options: { readonly maxBytes?: number } = {}): Overlay {
    requireTree(this.#parts.nodes, tree);
    const maxBytes = checkLimit("maxBytes", options.maxBytes ?? 64 * MEBIBYTE);
    return new Overlay(createState(this.#parts, tree, maxBytes));
  }

  /** Stores the contents that an overlay has and the store lacks. Changes no head. */
  stage(overlay: Overlay): Promise<StagedChanges> {
    return stage(overlay);
  }

  /** Makes staged changes part of a head, together with the caller's rows, in one transaction. See commit.ts. */
  commit(head: string, staged: StagedChanges, rows?: CommitRows): Commit {
    const done = commit(this.#parts, head, staged, rows);
    this.#parts.moves.tell(head);
    return done;
  }

  /** Sets a head to a tree that it had, or any other, together with the caller's rows, as `commit` does. */
  revert(head: string, tree: string, rows?: CommitRows): Commit {
    requireTree(this.#parts.nodes, tree);
    const done = moveHead(this.#parts, head, rows, (before) => ({ tree, changes: this.changes(before, tree) }));
    this.#parts.moves.tell(head);
    return done;
  }

  /** Keeps the tree that a head has now: one row. */
  checkpoint(head: string, label: string): Checkpoint {
    return addCheckpoint(this.#parts.storage, head, label, this.#parts.now());
  }

  /** The oldest one first; empty for an unknown head. */
  checkpoints(head: string): Checkpoint[] {
    return listCheckpoints(this.#parts.storage, head);
  }

  /** Files and links that differ, sorted by path. Reads only what differs. */
  changes(a: string, b: string): TreeChange[] {
    const { nodes } = this.#parts;
    for (const tree of [a, b]) requireTree(nodes, tree);
    return differences(nodes, a, b).flatMap(({ path, before, after }) => treeChange(path, before, after) ?? []);
  }

  /** The same as unified diffs, with what was removed here and created there as one. */
  async diff(a: string, b: string, options: DiffOptions = {}): Promise<FileDiff[]> {
    const { nodes, pins } = this.#parts;
    for (const tree of [a, b]) requireTree(nodes, tree);
    using _pin = pins.hold([a, b]);
    return await diffTrees(this.#parts, nodes, { before: a, after: b }, options);
  }

  /** Every path of a tree. */
  manifest(tree: string): ManifestEntry[] {
    requireTree(this.#parts.nodes, tree);
    return manifest(this.#parts.nodes, tree);
  }

  /** A meter of what is stored. */
  usage(): Usage {
    return usage(this.#parts.storage.sql);
  }
}

export function storeParts(store: TreeStore): StoreParts {
  return partsOf(store);
}
