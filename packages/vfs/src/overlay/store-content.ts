import { TenrecError } from "@tenrec/protocol";
import type { ContentRef } from "../content.ts";
import { Spool, storeBytes } from "../spool.ts";
import type { OverlayState } from "./state.ts";

/** What one overlay may bring to the store before it is committed, beside what is in its memory. */
const MAX_STORED_BYTES = 1024 ** 3;

/** Stores a content at once, kept for as long as the overlay is. `ENOSPC` when the overlay brings too much. */
export function storeWhole(state: OverlayState, bytes: Uint8Array): ContentRef {
  checkStored(state, bytes.length);
  return note(state, storeBytes(state, bytes));
}

/** The same for one that comes in pieces; `EFBIG` for a file that is too large. What `pieces` throws is thrown on. */
export async function storeStream(
  state: OverlayState,
  path: string,
  pieces: AsyncIterable<Uint8Array>,
): Promise<ContentRef> {
  const spool = new Spool(state, { path, maxBytes: state.maxFileBytes });
  try {
    for await (const piece of pieces) {
      checkStored(state, spool.size + piece.length);
      spool.add(piece);
    }
    return note(state, spool.finish());
  } catch (error) {
    spool.drop();
    throw error;
  }
}

/** `ENOSPC` when the overlay would bring too much to the store. */
export function checkStored(state: OverlayState, size: number): void {
  const used = state.storedBytes + size;
  if (used > MAX_STORED_BYTES) throw new TenrecError("ENOSPC", { used, limit: MAX_STORED_BYTES });
}

function note(state: OverlayState, content: ContentRef): ContentRef {
  state.stored.add(content.hash);
  state.storedBytes += content.size;
  return content;
}
