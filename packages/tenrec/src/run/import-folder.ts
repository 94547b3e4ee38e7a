import type { ArchiveEntry } from "@tenrec/vfs/folder";
import { packTar, readFolder } from "@tenrec/vfs/folder";
import type { SessionClient } from "@tenrec/runtime/client";
import { type Base, takeBase } from "../folder/base.ts";

/** From here on an import is worth a warning. In bytes. */
export const LARGE_BYTES = 200_000_000;

/** The object holds a whole upload in memory, up to 64 MiB; so a folder is sent in parts. In bytes. */
const PART_BYTES: number = 16 * 1024 * 1024;
/** Larger ones are refused with `EFBIG`. In bytes. */
const MAX_FILE_BYTES: number = 60 * 1024 * 1024;

export interface Imported {
  readonly base: Base;
  /** Files and links. */
  readonly files: number;
  readonly bytes: number;
}

/** Copies a folder into a session, without what its `.gitignore` files exclude. `onProgress` is called after each part. */
export async function importFolder(
  session: SessionClient,
  dir: string,
  onProgress: (files: number, bytes: number) => void,
): Promise<Imported> {
  const taker = takeBase(readFolder(dir, { limits: { maxFileBytes: MAX_FILE_BYTES } }));
  let files = 0;
  let bytes = 0;
  for await (const part of inParts(taker.entries)) {
    await session.files.import(packTar(part));
    files += part.filter(({ kind }) => kind !== "directory").length;
    bytes += part.reduce((sum, entry) => sum + sizeOf(entry), 0);
    onProgress(files, bytes);
  }
  return { base: taker.base(), files, bytes };
}

async function* inParts(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<ArchiveEntry[]> {
  let part: ArchiveEntry[] = [];
  let bytes = 0;
  for await (const entry of entries) {
    if (part.length > 0 && bytes + sizeOf(entry) > PART_BYTES) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(entry);
    bytes += sizeOf(entry);
  }
  yield part;
}

function sizeOf(entry: ArchiveEntry): number {
  return entry.kind === "file" ? entry.size : 0;
}
