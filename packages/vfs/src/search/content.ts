import { setImmediate } from "node:timers";
import { PART_BYTES, readBlobRange } from "../blobs.ts";
import { contentOf } from "../overlay/read.ts";
import { type AnyFile, isFresh, type OverlayState } from "../overlay/state.ts";

/** A content whole, for files that are not large. */
export function wholeContent(state: OverlayState, file: AnyFile, path: string): Uint8Array | Promise<Uint8Array> {
  return contentOf(state, file, path);
}

/** A content in pieces of at most 1 MiB. */
export async function* contentPieces(state: OverlayState, file: AnyFile, path: string): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < file.size; offset += PART_BYTES) {
    if (isFresh(file)) yield file.bytes.subarray(offset, offset + PART_BYTES);
    else yield readBlobRange(state.sql, file, { offset, length: PART_BYTES }, path);
  }
}

/** A turn of the event loop. */
export function nextTick(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}
