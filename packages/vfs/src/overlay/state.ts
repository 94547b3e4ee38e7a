import type { DirectoryEntry, Entry, LinkEntry } from "../entry.ts";
import { DIRECTORY_MODE } from "../entry.ts";
import type { NodeStore } from "../node-store.ts";
import type { BucketOptions } from "../bucket.ts";
import type { ContentFilters } from "../search/content-filters.ts";
import type { Pins } from "../pins.ts";
import type { SqlLike, StorageLike } from "../sql.ts";

/** A file that was written here. Never changed in place: a write puts a new one. */
export interface FreshFile {
  readonly kind: "file";
  readonly fresh: true;
  readonly mode: number;
  readonly mtime: number;
  readonly size: number;
  readonly bytes: Uint8Array;
  /** The buffer that `bytes` begins, when there is room behind it for an append. */
  readonly room?: Uint8Array;
  /** SHA-256 of `bytes`, once it was needed. */
  hash?: string;
}

/** A directory in which names were changed. */
export interface OverlayDirectory {
  readonly kind: "directory";
  /** The stored directory below; absent for a new one. */
  readonly base?: string;
  /** What differs from it; `null` for a removed name. */
  readonly names: Map<string, OverlayEntry | null>;
  mode: number;
  mtime: number;
}

export type OverlayEntry = Entry | FreshFile | OverlayDirectory;
export type AnyDirectory = DirectoryEntry | OverlayDirectory;
export type AnyFile = Exclude<OverlayEntry, AnyDirectory | LinkEntry>;

/** What the operations of an overlay work on. */
export interface OverlayState {
  readonly storage: StorageLike;
  /** That of `storage`. */
  readonly sql: SqlLike;
  readonly bucket?: BucketOptions | undefined;
  readonly pins: Pins;
  /** What searches learned of contents. */
  readonly filters: ContentFilters;
  readonly nodes: NodeStore;
  readonly now: () => number;
  readonly maxFileBytes: number;
  readonly maxBytes: number;
  /** Root hash that the overlay is pinned to. */
  readonly tree: string;
  readonly root: OverlayDirectory;
  /** Contents that went to the store for this overlay and may be in no tree yet. */
  readonly stored: Set<string>;
  /** Bytes of the files written here that are in memory. */
  bytes: number;
  /** Bytes that went to the store at once, as large files do. */
  storedBytes: number;
}

/** What every operation of a store's overlays shares. */
export type OverlayHost = Pick<
  OverlayState,
  "storage" | "bucket" | "nodes" | "now" | "maxFileBytes" | "pins" | "filters"
>;

export function createState(host: OverlayHost, tree: string, maxBytes: number): OverlayState {
  const root: OverlayDirectory = { kind: "directory", base: tree, names: new Map(), mode: DIRECTORY_MODE, mtime: 0 };
  const { storage, bucket, nodes, now, maxFileBytes, pins, filters } = host;
  const shared = { storage, sql: storage.sql, bucket, nodes, now, maxFileBytes, pins, filters };
  const state: OverlayState = { ...shared, maxBytes, tree, root, stored: new Set(), bytes: 0, storedBytes: 0 };
  pins.addOverlay(state);
  return state;
}

export function isFresh(entry: OverlayEntry): entry is FreshFile {
  return "fresh" in entry;
}

export function isChanged(entry: AnyDirectory): entry is OverlayDirectory {
  return "names" in entry;
}

/** Bytes in memory in an entry and below it. */
export function freshBytes(entry: OverlayEntry | null | undefined): number {
  if (!entry) return 0;
  if (entry.kind === "file") return isFresh(entry) ? entry.size : 0;
  if (entry.kind === "symlink" || !isChanged(entry)) return 0;
  let sum = 0;
  for (const child of entry.names.values()) sum += freshBytes(child);
  return sum;
}
