import { TenrecError } from "@tenrec/protocol";
import { entryAt, putEntry } from "../overlay/edit.ts";
import { type Overlay, overlayState } from "../overlay/overlay.ts";
import type { OverlayEntry, OverlayState } from "../overlay/state.ts";
import { newDirectory } from "../overlay/edit.ts";
import { checkTarget, joinPath } from "../path.ts";
import { type ArchiveEntry, type ArchiveLimits, createMeter } from "./archive-entry.ts";
import { archiveNames } from "./archive-path.ts";

export interface Imported {
  readonly entries: number;
  /** Bytes of all files. */
  readonly bytes: number;
}

/**
 * Writes entries into an overlay, over what is there: a file or a link is replaced, a directory is kept. Takes over the
 * files' bytes. Nothing is written through a link (`EACCES`); the overlay's own limits hold too. What came before a
 * refused entry stays: to undo it, let go of the overlay.
 */
export async function importEntries(
  overlay: Overlay,
  entries: AsyncIterable<ArchiveEntry> | Iterable<ArchiveEntry>,
  limits: ArchiveLimits = {},
): Promise<Imported> {
  const state = overlayState(overlay);
  const meter = createMeter(limits);
  const imported = { entries: 0, bytes: 0 };
  for await (const entry of entries) {
    const size = entry.kind === "file" ? entry.bytes.length : 0;
    meter.add(entry.path, size);
    put(state, entry);
    imported.entries++;
    imported.bytes += size;
  }
  return imported;
}

function put(state: OverlayState, entry: ArchiveEntry): void {
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
  if (there?.kind === "directory") {
    if (entry.kind !== "directory") throw new TenrecError("EISDIR", { path: entry.path });
    return;
  }
  putEntry(state, names, toOverlayEntry(state, entry));
}

function toOverlayEntry(state: OverlayState, entry: ArchiveEntry): OverlayEntry {
  const mtime = state.now();
  const { mode } = entry;
  switch (entry.kind) {
    case "file": {
      const { bytes, path } = entry;
      const size = bytes.length;
      if (size > state.maxFileBytes) throw new TenrecError("EFBIG", { path, size, limit: state.maxFileBytes });
      return { kind: "file", fresh: true, mode, mtime, size, bytes };
    }
    case "symlink":
      checkTarget(entry.path, entry.target);
      return { kind: "symlink", target: entry.target, mtime };
    case "directory":
      return { ...newDirectory(state), mode };
  }
}
