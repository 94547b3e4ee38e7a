import { setImmediate } from "node:timers";
import { knownBlobs, writeBlob } from "./blobs.ts";
import { type Overlay, overlayState } from "./overlay/overlay.ts";
import { changedEntries, type EntryChange } from "./overlay/staged-entries.ts";
import { compareText } from "./path.ts";
import { type TreeChange, treeChange } from "./tree-change.ts";

/** The changes of an overlay at one moment, with their content in the store. Made by `TreeStore.stage`. */
export interface StagedChanges {
  /** The tree that the overlay was opened on. */
  readonly base: string;
  /** Files and links, sorted by path. */
  readonly changes: readonly TreeChange[];
  /** Directories included. */
  readonly entries: readonly EntryChange[];
}

const BYTES_BETWEEN_YIELDS = 4 * 1024 * 1024;
const HASHES_PER_QUERY = 1000;

/**
 * Hashes what the overlay changed and stores the contents that are new. What is written to the overlay afterwards is not
 * in the answer. A head sees nothing of it before `commit`; without one, the contents are left over.
 */
export async function stage(overlay: Overlay): Promise<StagedChanges> {
  const state = overlayState(overlay);
  const entries: EntryChange[] = [];
  const contents = new Map<string, Uint8Array>();
  for (const { bytes, ...change } of changedEntries(state)) {
    entries.push(change);
    if (bytes && change.after?.kind === "file") contents.set(change.after.hash, bytes);
  }
  const hashes = [...contents.keys()];
  let unyielded = 0;
  for (let start = 0; start < hashes.length; start += HASHES_PER_QUERY) {
    const batch = hashes.slice(start, start + HASHES_PER_QUERY);
    const known = knownBlobs(state.sql, batch);
    for (const hash of batch) {
      const bytes = contents.get(hash);
      if (bytes === undefined || known.has(hash)) continue;
      writeBlob(state.sql, hash, bytes, state.now());
      unyielded += bytes.length;
      if (unyielded < BYTES_BETWEEN_YIELDS) continue;
      unyielded = 0;
      await new Promise<void>((done) => setImmediate(done));
    }
  }
  const changes = entries.flatMap(({ path, before, after }) => treeChange(path, before, after) ?? []);
  return { base: state.tree, changes: changes.sort((a, b) => compareText(a.path, b.path)), entries };
}
