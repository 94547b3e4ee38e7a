import { TenrecError } from "@tenrec/protocol";
import { FILE_MODE } from "../entry.ts";
import { checkTarget } from "../path.ts";
import { putEntry } from "./edit.ts";
import { contentOf } from "./read.ts";
import { resolve } from "./resolve.ts";
import { type AnyFile, type FreshFile, isFresh, type OverlayState } from "./state.ts";

const encoder = new TextEncoder();

export function writeText(state: OverlayState, path: string, content: string): void {
  const place = filePlace(state, path);
  putFile(state, path, place, { bytes: encoder.encode(content) });
}

export function writeBytes(state: OverlayState, path: string, content: Uint8Array): void {
  const place = filePlace(state, path);
  checkSize(state, path, content.length);
  putFile(state, path, place, { bytes: content.slice() });
}

/** Appends within the room of an earlier append where there is some, so that many small ones stay linear. */
export function append(state: OverlayState, path: string, content: string | Uint8Array): void {
  const place = filePlace(state, path);
  const added = typeof content === "string" ? encoder.encode(content) : content;
  const before = place.file;
  const size = (before?.size ?? 0) + added.length;
  checkSize(state, path, size);
  if (state.bytes + added.length > state.maxBytes) {
    throw new TenrecError("ENOSPC", { used: state.bytes + added.length, limit: state.maxBytes });
  }
  let room = before && isFresh(before) ? before.room : undefined;
  if (room === undefined || room.length < size) {
    const capacity = before && isFresh(before) ? Math.min(size * 2, size + 8 * 1024 * 1024) : size;
    room = new Uint8Array(capacity);
    if (before) room.set(contentOf(state, before, path));
  }
  room.set(added, size - added.length);
  putFile(state, path, place, { bytes: room.subarray(0, size), room });
}

/** `EEXIST` when there is something. */
export function link(state: OverlayState, target: string, path: string): void {
  checkTarget(path, target);
  const { names, entry } = resolve(state, path, false);
  if (entry !== undefined) throw new TenrecError("EEXIST", { path });
  putEntry(state, names, { kind: "symlink", target, mtime: state.now() });
}

interface FilePlace {
  readonly names: readonly string[];
  readonly file: AnyFile | undefined;
}

function filePlace(state: OverlayState, path: string): FilePlace {
  const { names, entry } = resolve(state, path, true);
  if (entry !== undefined && entry.kind !== "file") throw new TenrecError("EISDIR", { path });
  return { names, file: entry };
}

function putFile(
  state: OverlayState,
  path: string,
  place: FilePlace,
  content: Pick<FreshFile, "bytes" | "room">,
): void {
  const size = content.bytes.length;
  checkSize(state, path, size);
  const mode = place.file?.mode ?? FILE_MODE;
  putEntry(state, place.names, { kind: "file", fresh: true, mode, mtime: state.now(), size, ...content });
}

function checkSize(state: OverlayState, path: string, size: number): void {
  if (size > state.maxFileBytes) throw new TenrecError("EFBIG", { path, size, limit: state.maxFileBytes });
}
