import { LINK_MODE } from "../entry.ts";
import { childrenOf } from "../overlay/children.ts";
import { type Overlay, overlayState } from "../overlay/overlay.ts";
import { contentOf, streamOf } from "../overlay/read.ts";
import { type AnyDirectory, isFresh, type OverlayEntry, type OverlayState } from "../overlay/state.ts";
import { type ArchiveEntry, WHOLE_BYTES } from "./archive-entry.ts";
import { nextTick } from "../next-tick.ts";

const ENTRIES_BETWEEN_YIELDS = 200;

/** Everything in an overlay, a directory before what is in it, each file read when it is asked for. */
export async function* exportEntries(overlay: Overlay): AsyncGenerator<ArchiveEntry> {
  const state = overlayState(overlay);
  let count = 0;
  for await (const entry of walk(state, state.root, "/")) {
    yield entry;
    if (++count % ENTRIES_BETWEEN_YIELDS === 0) await nextTick();
  }
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
      const { mode, size } = entry;
      if (size > WHOLE_BYTES) return { path, kind: "file", mode, size, content: streamOf(state, entry, path) };
      const bytes = await contentOf(state, entry, path);
      return { path, kind: "file", mode, size, content: isFresh(entry) ? bytes.slice() : bytes };
    }
    case "symlink":
      return { path, kind: "symlink", mode: LINK_MODE, target: entry.target };
    case "directory":
      return { path, kind: "directory", mode: entry.mode };
  }
}
