import { type FsStat, TenrecError } from "@tenrec/protocol";
import { readBlob, readBlobRange } from "../blobs.ts";
import { LINK_MODE } from "../entry.ts";
import { byteLength, joinPath } from "../path.ts";
import { childrenOf } from "./children.ts";
import { resolveExisting } from "./resolve.ts";
import { type AnyFile, isFresh, type OverlayEntry, type OverlayState } from "./state.ts";

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** Bytes that the caller must not change. */
export function contentOf(state: OverlayState, file: AnyFile, path: string): Uint8Array {
  return isFresh(file) ? file.bytes : readBlob(state.sql, file.hash, file.size, path);
}

export function readText(state: OverlayState, path: string): string {
  return decoder.decode(contentOf(state, fileAt(state, path), path));
}

export function readBytes(state: OverlayState, path: string): Uint8Array {
  const file = fileAt(state, path);
  return isFresh(file) ? file.bytes.slice() : readBlob(state.sql, file.hash, file.size, path);
}

/** `EINVAL` unless offset and length are whole numbers from 0. */
export function readRange(state: OverlayState, path: string, offset: number, length: number): Uint8Array {
  for (const number of [offset, length]) {
    if (!Number.isSafeInteger(number) || number < 0) {
      throw new TenrecError("EINVAL", { path, reason: `${number} is not an offset or a length` });
    }
  }
  const file = fileAt(state, path);
  if (isFresh(file)) return file.bytes.slice(offset, offset + length);
  return readBlobRange(state.sql, file, { offset, length }, path);
}

export function statOf(entry: OverlayEntry): FsStat {
  const mtime = new Date(entry.mtime);
  switch (entry.kind) {
    case "file":
      return { type: "file", size: entry.size, mtime, mode: entry.mode };
    case "symlink":
      return { type: "symlink", size: byteLength(entry.target), mtime, mode: LINK_MODE };
    case "directory":
      return { type: "directory", size: 0, mtime, mode: entry.mode };
  }
}

export function stat(state: OverlayState, path: string): FsStat {
  return statOf(resolveExisting(state, path, true).entry);
}

export function lstat(state: OverlayState, path: string): FsStat {
  return statOf(resolveExisting(state, path, false).entry);
}

export function list(state: OverlayState, path: string): (readonly [string, OverlayEntry])[] {
  const { entry } = resolveExisting(state, path, true);
  if (entry.kind !== "directory") throw new TenrecError("ENOTDIR", { path });
  return childrenOf(state.nodes, entry);
}

export function readLink(state: OverlayState, path: string): string {
  const { entry } = resolveExisting(state, path, false);
  if (entry.kind !== "symlink") throw new TenrecError("EINVAL", { path, reason: "it is not a symbolic link" });
  return entry.target;
}

export function realPath(state: OverlayState, path: string): string {
  return joinPath(resolveExisting(state, path, true).names);
}

function fileAt(state: OverlayState, path: string): AnyFile {
  const { entry } = resolveExisting(state, path, true);
  if (entry.kind === "file") return entry;
  throw new TenrecError("EISDIR", { path });
}
