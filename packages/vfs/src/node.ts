import type { Entry } from "./entry.ts";
import { compareText } from "./path.ts";
import { sha256 } from "./sha256.ts";

/** A directory with more entries than this fans out. Part of the format: the shape of a node follows from its entries. */
export const MAX_LEAF_ENTRIES = 128;

/** Children of a fan. */
export const FAN_WIDTH = 32;

export interface NodeRef {
  readonly hash: string;
  /** Entries in it and below it. */
  readonly count: number;
}

/** A directory, or a part of one. */
export type DirectoryNode =
  | { readonly kind: "leaf"; readonly entries: ReadonlyMap<string, Entry> }
  | { readonly kind: "fan"; readonly children: readonly (NodeRef | undefined)[] };

export interface EncodedNode {
  readonly hash: string;
  readonly kind: "leaf" | "fan";
  readonly entries: string;
  readonly mtimes: string;
}

type LeafRow = [string, "f", number, number, string] | [string, "l", string] | [string, "d", number, string];
type FanRow = [number, string, number];

function leafRow(name: string, entry: Entry): LeafRow {
  switch (entry.kind) {
    case "file":
      return [name, "f", entry.mode, entry.size, entry.hash];
    case "symlink":
      return [name, "l", entry.target];
    case "directory":
      return [name, "d", entry.mode, entry.hash];
  }
}

function entryOf(row: LeafRow, mtime: number): Entry {
  switch (row[1]) {
    case "f":
      return { kind: "file", mode: row[2], size: row[3], hash: row[4], mtime };
    case "l":
      return { kind: "symlink", target: row[2], mtime };
    case "d":
      return { kind: "directory", mode: row[2], hash: row[3], mtime };
  }
}

/** The hash of a node by what is stored of it. */
export function nodeHash(kind: string, entries: string): string {
  return sha256(`${kind}\n${entries}`);
}

/** By name. What was decoded is in order, and stays so when entries are replaced: most of the time nothing is to be sorted. */
function inOrder(entries: ReadonlyMap<string, Entry>): Iterable<readonly [string, Entry]> {
  let last = "";
  for (const name of entries.keys()) {
    if (name < last) return [...entries].sort((a, b) => compareText(a[0], b[0]));
    last = name;
  }
  return entries;
}

/** The one text that stands for a node. The hash covers the kind and the entries, not the times. */
export function encodeNode(node: DirectoryNode): EncodedNode {
  let rows: (LeafRow | FanRow)[] = [];
  const mtimes: number[] = [];
  if (node.kind === "leaf") {
    for (const [name, entry] of inOrder(node.entries)) {
      rows.push(leafRow(name, entry));
      mtimes.push(entry.mtime);
    }
  } else {
    rows = node.children.flatMap((child, index): FanRow[] => (child ? [[index, child.hash, child.count]] : []));
  }
  const entries = JSON.stringify(rows);
  return { hash: nodeHash(node.kind, entries), kind: node.kind, entries, mtimes: JSON.stringify(mtimes) };
}

export function decodeNode(kind: string, entries: string, mtimes: string): DirectoryNode {
  if (kind === "fan") {
    const children = Array.from<NodeRef | undefined>({ length: FAN_WIDTH });
    for (const [index, hash, count] of JSON.parse(entries) as FanRow[]) children[index] = { hash, count };
    return { kind: "fan", children };
  }
  const times = JSON.parse(mtimes) as number[];
  const rows = JSON.parse(entries) as LeafRow[];
  return { kind: "leaf", entries: new Map(rows.map((row, index) => [row[0], entryOf(row, times[index] ?? 0)])) };
}

/** Entries in a node and below it. */
export function countEntries(node: DirectoryNode): number {
  if (node.kind === "leaf") return node.entries.size;
  return node.children.reduce((sum, child) => sum + (child?.count ?? 0), 0);
}
