import { eachEntry, lookup } from "../directory.ts";
import type { DirectoryEntry, Entry } from "../entry.ts";
import { sameEntry } from "../entry.ts";
import { joinPath } from "../path.ts";
import { sha256 } from "../sha256.ts";
import { eachChild } from "./children.ts";
import { openCopy } from "./edit.ts";
import {
  type FreshFile,
  type AnyDirectory,
  isChanged,
  isFresh,
  type OverlayDirectory,
  type OverlayEntry,
  type OverlayState,
} from "./state.ts";

/** One path that differs from the tree below. A directory stands for itself, not for what is in it: its hash is empty. */
export interface EntryChange {
  readonly path: string;
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
  /** Content of `after`, when it was written here. */
  readonly bytes?: Uint8Array;
}

/** What differs from the tree that the overlay is pinned to, each path once, parents before what is in them. */
export function* changedEntries(state: OverlayState): Generator<EntryChange> {
  yield* directoryChanges(state, [], state.tree, state.root);
}

function* directoryChanges(
  state: OverlayState,
  names: readonly string[],
  base: string,
  directory: OverlayDirectory,
): Generator<EntryChange> {
  if (directory.base === base) {
    for (const [name, after] of directory.names) {
      yield* entryChanges(state, [...names, name], lookup(state.nodes, base, name), after ?? undefined);
    }
    return;
  }
  // Moved here or made anew in the place of another: compared name by name.
  const left = new Map(eachEntry(state.nodes, base));
  for (const [name, after] of eachChild(state.nodes, directory)) {
    yield* entryChanges(state, [...names, name], left.get(name), after);
    left.delete(name);
  }
  for (const [name, before] of left) yield* entryChanges(state, [...names, name], before, undefined);
}

function* entryChanges(
  state: OverlayState,
  names: readonly string[],
  before: Entry | undefined,
  after: OverlayEntry | undefined,
): Generator<EntryChange> {
  const stored = after && toStored(after);
  if (!sameEntry(before, stored)) {
    const bytes = after?.kind === "file" && isFresh(after) ? { bytes: after.bytes } : {};
    yield { path: joinPath(names), before: before && surface(before), after: stored, ...bytes };
  }
  const left = before?.kind === "directory" ? before : undefined;
  const right = after?.kind === "directory" ? after : undefined;
  if (left && right) yield* mergedChanges(state, names, left, right);
  else if (left) yield* eachChanges(state, names, eachEntry(state.nodes, left.hash), undefined);
  else if (right) yield* eachChanges(state, names, undefined, eachChild(state.nodes, right));
}

function* mergedChanges(
  state: OverlayState,
  names: readonly string[],
  before: DirectoryEntry,
  after: AnyDirectory,
): Generator<EntryChange> {
  if (isChanged(after)) yield* directoryChanges(state, names, before.hash, after);
  else if (after.hash !== before.hash) yield* directoryChanges(state, names, before.hash, openCopy(after));
}

/** A whole directory that went, or one that came. */
function* eachChanges(
  state: OverlayState,
  names: readonly string[],
  gone: Iterable<readonly [string, Entry]> = [],
  come: Iterable<readonly [string, OverlayEntry]> = [],
): Generator<EntryChange> {
  for (const [name, entry] of gone) yield* entryChanges(state, [...names, name], entry, undefined);
  for (const [name, entry] of come) yield* entryChanges(state, [...names, name], undefined, entry);
}

function toStored(entry: OverlayEntry): Entry {
  if (entry.kind === "file" && isFresh(entry)) {
    return { kind: "file", mode: entry.mode, size: entry.size, hash: hashOf(entry), mtime: entry.mtime };
  }
  if (entry.kind === "directory" && isChanged(entry)) {
    return { kind: "directory", mode: entry.mode, hash: "", mtime: entry.mtime };
  }
  return surface(entry);
}

function surface(entry: Entry): Entry {
  return entry.kind === "directory" ? { ...entry, hash: "" } : entry;
}

function hashOf(file: FreshFile): string {
  file.hash ??= sha256(file.bytes);
  return file.hash;
}
