import { TenrecError } from "@tenrec/protocol";
import { checkNewNames, joinPath } from "../path.ts";
import { checkFit } from "./check-fit.ts";
import { childrenOf } from "./children.ts";
import { entryAt, newDirectory, putEntry } from "./edit.ts";
import { isBelow, isSame } from "./move.ts";
import { resolve, resolveExisting } from "./resolve.ts";
import { freshBytes, isChanged, isFresh, type OverlayEntry, type OverlayState } from "./state.ts";

/** A directory is merged into one that is there. A file's copy goes through a link at `dest`, a link's copy replaces it. */
export function copy(state: OverlayState, src: string, dest: string, recursive: boolean): void {
  const from = resolveExisting(state, src, false);
  if (from.entry.kind === "directory" && !recursive) throw new TenrecError("EISDIR", { path: src });
  const to = resolve(state, dest, from.entry.kind !== "symlink");
  if (isSame(from.names, to.names)) throw new TenrecError("EINVAL", { path: dest, reason: `it is ${src} itself` });
  if (from.entry.kind === "directory" && isBelow(to.names, from.names)) {
    throw new TenrecError("EINVAL", { path: dest, reason: `it is inside ${src}` });
  }
  // Everything that can be refused, before the first change.
  checkNewNames(to.names);
  const bytes = state.bytes + plan(state, from.entry, to.names);
  if (bytes > state.maxBytes) throw new TenrecError("ENOSPC", { used: bytes, limit: state.maxBytes });
  put(state, from.entry, to.names);
}

/** Bytes in memory that the copy adds at most. */
function plan(state: OverlayState, entry: OverlayEntry, dest: readonly string[]): number {
  const there = entryAt(state, dest);
  if (there === undefined) {
    checkFit(state, entry, dest);
    return freshBytes(entry);
  }
  if (entry.kind !== "directory") {
    if (there.kind === "directory") throw new TenrecError("EISDIR", { path: joinPath(dest) });
    return freshBytes(entry);
  }
  if (there.kind !== "directory") throw new TenrecError("ENOTDIR", { path: joinPath(dest) });
  return childrenOf(state.nodes, entry).reduce((sum, [name, child]) => sum + plan(state, child, [...dest, name]), 0);
}

function put(state: OverlayState, entry: OverlayEntry, dest: readonly string[]): void {
  const there = entryAt(state, dest);
  if (entry.kind === "directory" && there?.kind === "directory") {
    for (const [name, child] of childrenOf(state.nodes, entry)) put(state, child, [...dest, name]);
    return;
  }
  putEntry(state, dest, duplicate(state, entry));
}

// Content is shared, since it never changes in place; the room behind it belongs to one file.
function duplicate(state: OverlayState, entry: OverlayEntry): OverlayEntry {
  const mtime = state.now();
  if (entry.kind === "directory" && isChanged(entry)) {
    const names = new Map<string, OverlayEntry | null>();
    for (const [name, child] of entry.names) names.set(name, child && duplicate(state, child));
    return {
      ...newDirectory(state),
      ...(entry.base === undefined ? {} : { base: entry.base }),
      names,
      mode: entry.mode,
    };
  }
  if (entry.kind !== "file" || !isFresh(entry)) return { ...entry, mtime };
  const { room: _room, ...file } = entry;
  return { ...file, mtime };
}
