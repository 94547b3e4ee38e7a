import { isChanged, type OverlayDirectory, type OverlayEntry, type OverlayState } from "../overlay/state.ts";

/** Remembers what an overlay holds; the function given puts it back. Contents are shared, since they never change. */
export function saveOverlay(state: OverlayState): () => void {
  const { bytes } = state;
  const saved = copyDirectory(state.root);
  return () => {
    state.bytes = bytes;
    state.root.names.clear();
    for (const [name, entry] of saved.names) state.root.names.set(name, entry);
    state.root.mtime = saved.mtime;
  };
}

function copyDirectory(directory: OverlayDirectory): OverlayDirectory {
  const names = new Map<string, OverlayEntry | null>();
  for (const [name, entry] of directory.names) {
    names.set(name, entry?.kind === "directory" && isChanged(entry) ? copyDirectory(entry) : entry);
  }
  return { ...directory, names };
}
