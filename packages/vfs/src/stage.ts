import { type Overlay, overlayState } from "./overlay/overlay.ts";
import { changedEntries, type EntryChange } from "./overlay/staged-entries.ts";
import { compareText } from "./path.ts";
import { type TreeChange, treeChange } from "./tree-change.ts";
import { writeBlobs } from "./write-blobs.ts";
import { nextTick } from "./next-tick.ts";

/** The changes of an overlay at one moment, with their content in the store. Made by `TreeStore.stage`. */
export interface StagedChanges {
  /** The tree that the overlay was opened on. */
  readonly base: string;
  /** Files and links, sorted by path. */
  readonly changes: readonly TreeChange[];
  /** Directories included. */
  readonly entries: readonly EntryChange[];
  /** Its contents stay in the store for as long as somebody holds this. */
  readonly overlay: Overlay;
}

/**
 * Hashes what the overlay changed and stores the contents that are new. What is written to the overlay afterwards is not
 * in the answer. A head sees nothing of it before `commit`; without one, the contents are left over and swept in time.
 */
export async function stage(overlay: Overlay): Promise<StagedChanges> {
  const state = overlayState(overlay);
  const entries: EntryChange[] = [];
  const contents = new Map<string, Uint8Array>();
  for (const { bytes, ...change } of changedEntries(state)) {
    entries.push(change);
    if (bytes && change.after?.kind === "file") contents.set(change.after.hash, bytes);
  }
  // At once: a content that the store has already must not be swept from here on.
  for (const hash of contents.keys()) state.stored.add(hash);
  for (const _ of writeBlobs(state.storage, contents, state.now())) await nextTick();
  const changes = entries.flatMap(({ path, before, after }) => treeChange(path, before, after) ?? []);
  return { base: state.tree, changes: changes.sort((a, b) => compareText(a.path, b.path)), entries, overlay };
}
