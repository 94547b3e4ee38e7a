import { TenrecError } from "@tenrec/protocol";
import { isMode } from "../entry.ts";
import { EMPTY_TREE } from "../node-store.ts";
import { entryAt, newDirectory, putEntry } from "../overlay/edit.ts";
import { type Overlay, overlayState } from "../overlay/overlay.ts";
import { createState, type OverlayDirectory, type OverlayEntry, type OverlayState } from "../overlay/state.ts";
import { storeStream } from "../overlay/store-content.ts";
import { checkTarget, joinPath } from "../path.ts";
import type { ArchiveEntry, Entries, FileContent, FileEntry } from "./archive-entry.ts";
import { type ArchiveLimits, createMeter } from "./archive-limits.ts";
import { archiveNames } from "./archive-path.ts";
import { bytesOf, piecesOf } from "./file-content.ts";
import { mergeImport } from "./merge-import.ts";
import { nextTick } from "../next-tick.ts";

/** In bytes; an entry takes as long as this many. */
const ENTRY_COST = 4096;
const COST_BETWEEN_YIELDS = 2 * 1024 * 1024;
/** Bytes of files that are held until they are staged. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024;

export interface Imported {
  readonly entries: number;
  /** Bytes of all files. */
  readonly bytes: number;
}

export interface ImportOptions extends ArchiveLimits {
  readonly signal?: AbortSignal;
}

/** What was imported so far, over an empty tree. */
export interface Import {
  readonly state: OverlayState;
  /** Directories that have an entry of their own, rather than being above one. */
  readonly named: Set<OverlayDirectory>;
}

/**
 * Writes entries into an overlay, over what is there: a file or a link is replaced, a directory is kept. Takes over the
 * files' bytes. Nothing is written through a link (`EACCES`); the overlay's own limits hold too; `EINVAL` for what is no
 * entry. All or nothing: the overlay is as it was until the last entry has come, and stays so when one is refused, the
 * source fails or the signal aborts.
 */
export async function importEntries(
  overlay: Overlay,
  entries: Entries,
  options: ImportOptions = {},
): Promise<Imported> {
  const target = overlayState(overlay);
  const state = createState(target, EMPTY_TREE, target.maxBytes - target.bytes);
  try {
    const imported = await readEntries({ state, named: new Set() }, entries, options);
    mergeImport(target, imported.coming);
    return { entries: imported.entries, bytes: imported.bytes };
  } finally {
    state.pins.removeOverlay(state);
  }
}

async function readEntries(
  coming: Import,
  entries: Entries,
  options: ImportOptions,
): Promise<Imported & { readonly coming: Import }> {
  const meter = createMeter(options);
  const imported = { entries: 0, bytes: 0 };
  let unyielded = 0;
  for await (const entry of entries) {
    options.signal?.throwIfAborted();
    checkEntry(entry);
    const size = entry.kind === "file" ? entry.size : 0;
    meter.add(entry.path, size);
    await put(coming, entry, options.signal);
    imported.entries++;
    imported.bytes += size;
    // A source that has everything at hand would not let others run.
    unyielded += size + ENTRY_COST;
    if (unyielded < COST_BETWEEN_YIELDS) continue;
    unyielded = 0;
    await nextTick();
  }
  return { ...imported, coming };
}

async function put({ state, named }: Import, entry: ArchiveEntry, signal: AbortSignal | undefined): Promise<void> {
  const names = archiveNames(entry.path.slice(1));
  for (let length = 1; length < names.length; length++) {
    const parent = entryAt(state, names.slice(0, length));
    if (parent === undefined) break;
    if (parent.kind === "directory") continue;
    throw new TenrecError("EACCES", {
      path: entry.path,
      reason: `${joinPath(names.slice(0, length))} is no directory`,
    });
  }
  const there = entryAt(state, names);
  if (entry.kind === "directory") {
    const directory = there?.kind === "directory" ? (there as OverlayDirectory) : newDirectory(state);
    directory.mode = entry.mode;
    named.add(directory);
    if (directory !== there) putEntry(state, names, directory);
    return;
  }
  if (there?.kind === "directory") throw new TenrecError("EISDIR", { path: entry.path });
  putEntry(state, names, entry.kind === "file" ? await takeFile(state, entry, signal) : linkEntry(state, entry));
}

// Entries may come from a caller's own source: what is wrong here would be in the tree, and in its hash, for good.
function checkEntry(entry: ArchiveEntry): void {
  const { path, kind, mode } = entry;
  const refuse = (reason: string): never => {
    throw new TenrecError("EINVAL", { path: String(path), reason });
  };
  if (typeof path !== "string" || !path.startsWith("/")) refuse("an entry's path begins with /");
  if (!["file", "symlink", "directory"].includes(kind)) refuse(`${kind} is no kind of entry`);
  if (kind !== "symlink" && !isMode(mode)) refuse(`${mode} is not a set of permission bits`);
  if (entry.kind === "file" && !(Number.isSafeInteger(entry.size) && entry.size >= 0)) {
    refuse(`${entry.size} is no size of a file`);
  }
}

function linkEntry(state: OverlayState, entry: ArchiveEntry & { kind: "symlink" }): OverlayEntry {
  checkTarget(entry.path, entry.target);
  return { kind: "symlink", target: entry.target, mtime: state.now() };
}

// Small files wait in memory, to be stored together; what would fill it goes to the store as it comes.
async function takeFile(state: OverlayState, entry: FileEntry, signal: AbortSignal | undefined): Promise<OverlayEntry> {
  const { mode, path, size, content } = entry;
  if (size > state.maxFileBytes) throw new TenrecError("EFBIG", { path, size, limit: state.maxFileBytes });
  const mtime = state.now();
  if (content instanceof Uint8Array && state.bytes + size <= Math.min(state.maxBytes, MAX_WAITING_BYTES)) {
    return { kind: "file", fresh: true, mode, mtime, size, bytes: await bytesOf(entry) };
  }
  const pieces = piecesOf({ ...entry, content: stoppable(content, signal) });
  return { kind: "file", mode, mtime, ...(await storeStream(state, path, pieces)) };
}

function stoppable(content: FileContent, signal: AbortSignal | undefined): FileContent {
  if (content instanceof Uint8Array || !signal) return content;
  return (async function* pass() {
    for await (const piece of content) {
      signal.throwIfAborted();
      yield piece;
    }
  })();
}
