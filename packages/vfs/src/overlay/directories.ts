import { TenrecError } from "@tenrec/protocol";
import { isMode } from "../entry.ts";
import { childrenOf } from "./children.ts";
import { entryAt, newDirectory, openCopy, putEntry, removeEntry } from "./edit.ts";
import { resolve, resolveExisting } from "./resolve.ts";
import type { OverlayState } from "./state.ts";

export function makeDirectory(state: OverlayState, path: string, recursive: boolean): void {
  const { names, entry } = resolve(state, path, false);
  if (entry !== undefined) {
    const isDirectory = resolve(state, path, true).entry?.kind === "directory";
    if (recursive && isDirectory) return;
    throw new TenrecError("EEXIST", { path });
  }
  if (!recursive && entryAt(state, names.slice(0, -1)) === undefined) throw new TenrecError("ENOENT", { path });
  putEntry(state, names, newDirectory(state));
}

export function remove(state: OverlayState, path: string, options: { recursive?: boolean; force?: boolean }): void {
  const { names, entry } = resolve(state, path, false);
  if (entry === undefined) {
    if (options.force) return;
    throw new TenrecError("ENOENT", { path });
  }
  if (entry.kind === "directory" && !options.recursive && childrenOf(state.nodes, entry).length > 0) {
    throw new TenrecError("ENOTEMPTY", { path });
  }
  removeEntry(state, names);
}

/** Follows a link. `EINVAL` for what is not permission bits, `EACCES` for the root. */
export function changeMode(state: OverlayState, path: string, mode: number): void {
  if (!isMode(mode)) {
    throw new TenrecError("EINVAL", { path, reason: `${mode} is not a set of permission bits` });
  }
  const { names, entry } = resolveExisting(state, path, true);
  if (entry.kind === "symlink" || entry.mode === mode) return;
  if (names.length === 0) throw new TenrecError("EACCES", { path: "/", reason: "the root has no mode of its own" });
  if (entry.kind === "file") {
    putEntry(state, names, { ...entry, mode });
    return;
  }
  const directory = openCopy(entry);
  directory.mode = mode;
  putEntry(state, names, directory);
}
