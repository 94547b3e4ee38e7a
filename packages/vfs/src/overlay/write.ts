import { TenrecError } from "@tenrec/protocol";
import type { ContentRef } from "../content.ts";
import { FILE_MODE } from "../entry.ts";
import { checkTarget } from "../path.ts";
import { putEntry } from "./edit.ts";
import { resolve } from "./resolve.ts";
import type { AnyFile, FreshFile, OverlayState } from "./state.ts";
import { storeStream, storeWhole } from "./store-content.ts";

/** A larger content goes to the store at once: it would fill the memory. */
export const MAX_FRESH_BYTES: number = 16 * 1024 * 1024;

const encoder = new TextEncoder();

export function writeText(state: OverlayState, path: string, content: string): void {
  const place = filePlace(state, path);
  if (typeof content !== "string") throw noContent(path, "text");
  putFile(state, path, place, { bytes: encoder.encode(content) });
}

// A copy: `slice` of a Buffer would be none.
export function writeBytes(state: OverlayState, path: string, content: Uint8Array): void {
  const place = filePlace(state, path);
  if (!(content instanceof Uint8Array)) throw noContent(path, "bytes as a Uint8Array");
  checkSize(state, path, content.length);
  putFile(state, path, place, { bytes: content.length > MAX_FRESH_BYTES ? content : new Uint8Array(content) });
}

export async function writeStream(
  state: OverlayState,
  path: string,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  // A path that cannot be written is told before anything is read.
  filePlace(state, path);
  const stored = await storeStream(state, path, content);
  putStored(state, filePlace(state, path), stored);
}

/** `EEXIST` when there is something. */
export function link(state: OverlayState, target: string, path: string): void {
  checkTarget(path, target);
  const { names, entry } = resolve(state, path, false);
  if (entry !== undefined) throw new TenrecError("EEXIST", { path });
  putEntry(state, names, { kind: "symlink", target, mtime: state.now() });
}

/** Where a file can be written. */
export interface FilePlace {
  readonly names: readonly string[];
  /** What is there. */
  readonly file: AnyFile | undefined;
}

/** Follows links. `EISDIR` when something else than a file is there. */
export function filePlace(state: OverlayState, path: string): FilePlace {
  const { names, entry } = resolve(state, path, true);
  if (entry !== undefined && entry.kind !== "file") throw new TenrecError("EISDIR", { path });
  return { names, file: entry };
}

/** Puts a file with these bytes, which belong to the overlay from here on. */
export function putFile(
  state: OverlayState,
  path: string,
  place: FilePlace,
  content: Pick<FreshFile, "bytes" | "room">,
): void {
  const size = content.bytes.length;
  checkSize(state, path, size);
  if (size > MAX_FRESH_BYTES) {
    putStored(state, place, storeWhole(state, content.bytes));
    return;
  }
  const mode = place.file?.mode ?? FILE_MODE;
  putEntry(state, place.names, { kind: "file", fresh: true, mode, mtime: state.now(), size, ...content });
}

/** Puts a file whose content is in the store already. */
export function putStored(state: OverlayState, place: FilePlace, content: ContentRef): void {
  const mode = place.file?.mode ?? FILE_MODE;
  putEntry(state, place.names, { kind: "file", mode, mtime: state.now(), ...content });
}

export function checkSize(state: OverlayState, path: string, size: number): void {
  if (size > state.maxFileBytes) throw new TenrecError("EFBIG", { path, size, limit: state.maxFileBytes });
}

/** For callers in JavaScript: what is made of another type would be another content, or none. */
export function noContent(path: string, wanted: string): TenrecError<"EINVAL"> {
  return new TenrecError("EINVAL", { path, reason: `its content is not ${wanted}` });
}
