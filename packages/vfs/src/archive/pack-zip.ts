import { Buffer } from "node:buffer";
import { Zip, ZipDeflate, ZipPassThrough } from "fflate";
import { TenrecError } from "@tenrec/protocol";
import type { ArchiveEntry, Entries } from "./archive-entry.ts";
import { entryName } from "./archive-path.ts";
import { streamFrom } from "./archive-stream.ts";
import { piecesOf } from "./file-content.ts";
import { nextTick } from "../next-tick.ts";

/** What the format has without its extension for large archives. */
const MAX_ENTRIES = 65_534;
const MAX_BYTES = 0xfffffffe;
const CHUNK_BYTES = 64 * 1024;
const BYTES_BETWEEN_YIELDS = 512 * 1024;
const UNIX = 3;
const TYPE_BITS = { file: 0o100000, directory: 0o040000, symlink: 0o120000 };

/**
 * A zip stream of these entries, with Unix modes and links, made as it is read. More than 65,534 entries or 4 GiB are
 * `ENOSPC`. What `entries` throws errors the stream; a cancel ends `entries`.
 */
export function packZip(entries: Entries): ReadableStream<Uint8Array> {
  return streamFrom(zipChunks(entries));
}

async function* zipChunks(entries: Entries): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let waiting = 0;
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
    waiting += chunk.length;
  });
  let count = 0;
  let bytes = 0;
  // Many small parts make one chunk.
  function take(): Uint8Array {
    bytes += waiting;
    if (bytes > MAX_BYTES) throw new TenrecError("ENOSPC", { used: bytes, limit: MAX_BYTES });
    waiting = 0;
    return new Uint8Array(Buffer.concat(chunks.splice(0)));
  }
  for await (const entry of entries) {
    if (++count > MAX_ENTRIES) throw new TenrecError("ENOSPC", { used: count, limit: MAX_ENTRIES });
    const file = fileOf(entry);
    zip.add(file);
    let unyielded = 0;
    for await (const piece of contentOf(entry)) {
      file.push(piece);
      unyielded += piece.length;
      if (waiting >= CHUNK_BYTES) yield take();
      if (unyielded < BYTES_BETWEEN_YIELDS) continue;
      unyielded = 0;
      await nextTick();
    }
    file.push(new Uint8Array(0), true);
    if (waiting >= CHUNK_BYTES) yield take();
  }
  zip.end();
  yield take();
}

function fileOf(entry: ArchiveEntry): ZipDeflate | ZipPassThrough {
  const name = entryName(entry);
  const file = entry.kind === "directory" ? new ZipPassThrough(name) : new ZipDeflate(name);
  file.os = UNIX;
  // The upper half is the mode, and a directory has DOS's bit too.
  file.attrs = (((TYPE_BITS[entry.kind] | entry.mode) << 16) | (entry.kind === "directory" ? 0x10 : 0)) >>> 0;
  // Times are local in this format, and constant, so that the same tree is the same archive.
  file.mtime = new Date(1980, 0, 1);
  return file;
}

async function* contentOf(entry: ArchiveEntry): AsyncGenerator<Uint8Array> {
  if (entry.kind === "file") yield* piecesOf(entry);
  if (entry.kind === "symlink") yield new TextEncoder().encode(entry.target);
}
