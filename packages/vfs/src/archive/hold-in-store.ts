import { type Overlay, overlayState } from "../overlay/overlay.ts";
import { storeStream } from "../overlay/store-content.ts";
import { readContentRange } from "../content.ts";
import type { ZipSource } from "./zip-source.ts";

/**
 * For `unpackArchive`: puts a zip archive into the store, a MiB at a time, rather than into memory. It counts as a file
 * that the overlay wrote (`EFBIG`, `ENOSPC`), is kept for as long as the overlay is, and swept afterwards.
 */
export function holdInStore(overlay: Overlay): (chunks: AsyncIterable<Uint8Array>) => Promise<ZipSource> {
  const state = overlayState(overlay);
  return async (chunks) => {
    const archive = await storeStream(state, "the archive", chunks);
    return {
      size: archive.size,
      read: (offset, length) => readContentRange(state, archive, { offset, length }, "the archive"),
    };
  };
}
