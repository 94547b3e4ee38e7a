import { type FsStat, TenrecError } from "@tenrec/protocol";
import { PART_BYTES } from "../blobs.ts";
import { readContent, readContentRange, streamContent } from "../content.ts";
import { LINK_MODE } from "../entry.ts";
import { byteLength, joinPath } from "../path.ts";
import { sha256 } from "../sha256.ts";
import { childrenOf } from "./children.ts";
import { resolveExisting } from "./resolve.ts";
import { type AnyFile, isFresh, type OverlayEntry, type OverlayState } from "./state.ts";

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** Bytes that the caller must not change. At once, unless they are in the bucket. */
export function contentOf(state: OverlayState, file: AnyFile, path: string): Uint8Array | Promise<Uint8Array> {
  return isFresh(file) ? file.bytes : readContent(state, file, path);
}

/** The same in pieces of at most 1 MiB, one in memory at a time, each with a buffer of its own that is the caller's. */
export async function* streamOf(state: OverlayState, file: AnyFile, path: string): AsyncGenerator<Uint8Array> {
  if (!isFresh(file)) yield* streamContent(state, file, path);
  else for (let at = 0; at < file.size; at += PART_BYTES) yield file.bytes.slice(at, at + PART_BYTES);
}

export async function readText(state: OverlayState, path: string): Promise<string> {
  const content = contentOf(state, fileAt(state, path), path);
  return decoder.decode(content instanceof Uint8Array ? content : await content);
}

export async function readBytes(state: OverlayState, path: string): Promise<Uint8Array> {
  const file = fileAt(state, path);
  return isFresh(file) ? file.bytes.slice() : readContent(state, file, path);
}

/** What is at the path now, whatever is written there while it is read. */
export function readStream(state: OverlayState, path: string): AsyncIterable<Uint8Array> {
  return streamOf(state, fileAt(state, path), path);
}

/** `EINVAL` unless offset and length are whole numbers from 0. */
export async function readRange(
  state: OverlayState,
  path: string,
  offset: number,
  length: number,
): Promise<Uint8Array> {
  for (const number of [offset, length]) {
    if (!Number.isSafeInteger(number) || number < 0) {
      throw new TenrecError("EINVAL", { path, reason: `${number} is not an offset or a length` });
    }
  }
  const file = fileAt(state, path);
  if (isFresh(file)) return file.bytes.slice(offset, offset + length);
  return readContentRange(state, file, { offset, length }, path);
}

export function hashAt(state: OverlayState, path: string): string {
  const file = fileAt(state, path);
  return isFresh(file) ? (file.hash ??= sha256(file.bytes)) : file.hash;
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
