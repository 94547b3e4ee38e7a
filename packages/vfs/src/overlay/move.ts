import { TenrecError } from "@tenrec/protocol";
import { byteLength, checkNewNames, joinPath } from "../path.ts";
import { checkFit } from "./check-fit.ts";
import { openDirectory, putEntry, removeEntry } from "./edit.ts";
import { type Place, resolve, resolveExisting } from "./resolve.ts";
import type { OverlayState } from "./state.ts";

/** Neither path's last link is followed. A move onto itself does nothing. */
export function move(state: OverlayState, src: string, dest: string): void {
  const from = resolveExisting(state, src, false);
  if (from.names.length === 0) throw new TenrecError("EINVAL", { path: src, reason: "the root cannot be moved" });
  const to = resolve(state, dest, false);
  if (isSame(from.names, to.names)) return;
  checkMove(from, to, { src, dest });
  // The last thing that can be refused; after it, the entry is never in two places or in none.
  checkNewNames(to.names);
  if (isLonger(to.names, from.names)) checkFit(state, from.entry, to.names);
  openDirectory(state, to.names.slice(0, -1));
  removeEntry(state, from.names);
  putEntry(state, to.names, from.entry);
}

function checkMove(from: Place, to: Place, { src, dest }: { src: string; dest: string }): void {
  if (isBelow(to.names, from.names)) throw new TenrecError("EINVAL", { path: dest, reason: `it is inside ${src}` });
  if (to.entry?.kind === "directory") throw new TenrecError("EISDIR", { path: dest });
  if (to.entry !== undefined && from.entry?.kind === "directory") throw new TenrecError("ENOTDIR", { path: dest });
}

function isLonger(a: readonly string[], b: readonly string[]): boolean {
  return a.length > b.length || byteLength(joinPath(a)) > byteLength(joinPath(b));
}

/** True when `names` lead to a place strictly below `above`. */
export function isBelow(names: readonly string[], above: readonly string[]): boolean {
  return names.length > above.length && above.every((name, index) => name === names[index]);
}

export function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index]);
}
