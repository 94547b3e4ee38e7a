import { TenrecError } from "@tenrec/protocol";
import { DIRECTORY_MODE } from "../entry.ts";
import { checkNewNames } from "../path.ts";
import { childOf } from "./children.ts";
import {
  type AnyDirectory,
  freshBytes,
  isChanged,
  type OverlayDirectory,
  type OverlayEntry,
  type OverlayState,
} from "./state.ts";

/** A copy of a directory's surface in which names can be changed. */
export function openCopy(directory: AnyDirectory): OverlayDirectory {
  if (isChanged(directory)) return directory;
  const { hash, mode, mtime } = directory;
  return { kind: "directory", base: hash, names: new Map(), mode, mtime };
}

/** A new, empty directory. */
export function newDirectory(state: OverlayState): OverlayDirectory {
  return { kind: "directory", names: new Map(), mode: DIRECTORY_MODE, mtime: state.now() };
}

/** The directory with these names, as `resolve` gives them, ready to be changed; missing ones are created. */
export function openDirectory(state: OverlayState, names: readonly string[]): OverlayDirectory {
  let directory = state.root;
  for (const name of names) {
    const entry = childOf(state.nodes, directory, name);
    const next = entry?.kind === "directory" ? openCopy(entry) : newDirectory(state);
    if (next !== entry) {
      directory.names.set(name, next);
      if (entry === undefined) directory.mtime = state.now();
    }
    directory = next;
  }
  return directory;
}

/** Puts an entry in the place of what is there, within the byte budget (`ENOSPC`); creates missing parents. */
export function putEntry(state: OverlayState, names: readonly string[], entry: OverlayEntry): void {
  const name = names.at(-1);
  if (name === undefined) throw new TenrecError("EISDIR", { path: "/" });
  checkNewNames(names);
  const parents = names.slice(0, -1);
  const bytes = state.bytes + freshBytes(entry) - freshBytesAt(state, names);
  if (bytes > state.maxBytes && bytes > state.bytes)
    throw new TenrecError("ENOSPC", { used: bytes, limit: state.maxBytes });
  const directory = openDirectory(state, parents);
  directory.names.set(name, entry);
  directory.mtime = state.now();
  state.bytes = bytes;
}

/** Bytes in memory of what is at names. Only what was changed here has some, so nothing stored is looked at. */
function freshBytesAt(state: OverlayState, names: readonly string[]): number {
  let entry: OverlayEntry | null | undefined = state.root;
  for (const name of names) {
    if (entry?.kind !== "directory" || !isChanged(entry)) return 0;
    entry = entry.names.get(name);
  }
  return freshBytes(entry);
}

/** Removes a name that exists. */
export function removeEntry(state: OverlayState, names: readonly string[]): void {
  const name = names.at(-1);
  if (name === undefined) throw new TenrecError("EACCES", { path: "/", reason: "the root stays" });
  const directory = openDirectory(state, names.slice(0, -1));
  state.bytes -= freshBytes(directory.names.get(name));
  if (directory.base === undefined) directory.names.delete(name);
  else directory.names.set(name, null);
  directory.mtime = state.now();
}

/** What is at names that no link is among. */
export function entryAt(state: OverlayState, names: readonly string[]): OverlayEntry | undefined {
  let entry: OverlayEntry | undefined = state.root;
  for (const name of names) {
    if (entry?.kind !== "directory") return undefined;
    entry = childOf(state.nodes, entry, name);
  }
  return entry;
}
