import { contentOf, streamOf } from "../overlay/read.ts";
import type { AnyFile, OverlayState } from "../overlay/state.ts";

/** A content whole, for files that are not large. */
export function wholeContent(state: OverlayState, file: AnyFile, path: string): Uint8Array | Promise<Uint8Array> {
  return contentOf(state, file, path);
}

/** A content in pieces of at most 1 MiB. */
export function contentPieces(state: OverlayState, file: AnyFile, path: string): AsyncIterable<Uint8Array> {
  return streamOf(state, file, path);
}
