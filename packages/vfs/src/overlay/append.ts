import { TenrecError } from "@tenrec/protocol";
import { contentOf, streamOf } from "./read.ts";
import { type AnyFile, isFresh, type OverlayState } from "./state.ts";
import { storeStream } from "./store-content.ts";
import { checkSize, type FilePlace, filePlace, MAX_FRESH_BYTES, noContent, putFile, putStored } from "./write.ts";

const encoder = new TextEncoder();

/** Takes effect before the first `await`, but for a file that is in the bucket or has to become larger than memory takes. */
export async function append(state: OverlayState, path: string, content: string | Uint8Array): Promise<void> {
  const added = typeof content === "string" ? encoder.encode(content) : content;
  const place = filePlace(state, path);
  if (!(added instanceof Uint8Array)) throw noContent(path, "text or bytes as a Uint8Array");
  const { file } = place;
  const size = (file?.size ?? 0) + added.length;
  checkSize(state, path, size);
  if (size > MAX_FRESH_BYTES) {
    await appendStored(state, path, file, new Uint8Array(added));
    return;
  }
  const before = file && contentOf(state, file, path);
  if (before === undefined || before instanceof Uint8Array) {
    appendFresh(state, path, place, before, added);
    return;
  }
  const kept = new Uint8Array(added);
  const fetched = await before;
  const now = filePlace(state, path);
  if (isSameFile(now.file, file)) appendFresh(state, path, now, fetched, kept);
  else await append(state, path, kept);
}

/** Within the room of an earlier append where there is some, so that many small ones stay linear. */
function appendFresh(
  state: OverlayState,
  path: string,
  place: FilePlace,
  before: Uint8Array | undefined,
  added: Uint8Array,
): void {
  const size = (before?.length ?? 0) + added.length;
  if (state.bytes + added.length > state.maxBytes) {
    throw new TenrecError("ENOSPC", { used: state.bytes + added.length, limit: state.maxBytes });
  }
  const fresh = place.file && isFresh(place.file);
  let room = fresh ? place.file.room : undefined;
  if (room === undefined || room.length < size) {
    room = new Uint8Array(fresh ? Math.min(size * 2, size + 8 * 1024 * 1024) : size);
    if (before) room.set(before);
  }
  room.set(added, size - added.length);
  putFile(state, path, place, { bytes: room.subarray(0, size), room });
}

async function appendStored(
  state: OverlayState,
  path: string,
  file: AnyFile | undefined,
  added: Uint8Array,
): Promise<void> {
  const stored = await storeStream(state, path, joined(state, path, file, added));
  const place = filePlace(state, path);
  if (isSameFile(place.file, file)) putStored(state, place, stored);
  else await append(state, path, added);
}

async function* joined(
  state: OverlayState,
  path: string,
  file: AnyFile | undefined,
  added: Uint8Array,
): AsyncGenerator<Uint8Array> {
  if (file) yield* streamOf(state, file, path);
  yield added;
}

function isSameFile(a: AnyFile | undefined, b: AnyFile | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return isFresh(a) || isFresh(b) ? a === b : a.hash === b.hash;
}
