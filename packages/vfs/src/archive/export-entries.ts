import { LINK_MODE } from "../entry.ts";
import { childrenOf } from "../overlay/children.ts";
import { type Overlay, overlayState } from "../overlay/overlay.ts";
import { contentOf } from "../overlay/read.ts";
import { type AnyDirectory, isFresh, type OverlayEntry, type OverlayState } from "../overlay/state.ts";
import type { ArchiveEntry } from "./archive-entry.ts";

/** Everything in an overlay, a directory before what is in it, each file read when it is asked for. */
export function exportEntries(overlay: Overlay): AsyncIterable<ArchiveEntry> {
  const state = overlayState(overlay);
  return walk(state, state.root, "/");
}

async function* walk(state: OverlayState, directory: AnyDirectory, path: string): AsyncGenerator<ArchiveEntry> {
  for (const [name, entry] of childrenOf(state.nodes, directory)) {
    yield await toArchiveEntry(state, entry, path + name);
    if (entry.kind === "directory") yield* walk(state, entry, `${path}${name}/`);
  }
}

async function toArchiveEntry(state: OverlayState, entry: OverlayEntry, path: string): Promise<ArchiveEntry> {
  switch (entry.kind) {
    case "file": {
      const bytes = await contentOf(state, entry, path);
      return { path, kind: "file", mode: entry.mode, bytes: isFresh(entry) ? bytes.slice() : bytes };
    }
    case "symlink":
      return { path, kind: "symlink", mode: LINK_MODE, target: entry.target };
    case "directory":
      return { path, kind: "directory", mode: entry.mode };
  }
}
