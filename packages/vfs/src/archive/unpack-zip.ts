import { crc32 } from "node:zlib";
import { Inflate } from "fflate";
import { TenrecError } from "@tenrec/protocol";
import { LINK_MODE } from "../entry.ts";
import { type ArchiveEntry, type FileEntry, WHOLE_BYTES } from "./archive-entry.ts";
import { type ArchiveLimits, createMeter } from "./archive-limits.ts";
import { archiveTreePath } from "./archive-path.ts";
import { bytesOf, contentOfPieces } from "./file-content.ts";
import { hasForeignSeparators, zipAttributes } from "./zip-attributes.ts";
import { readZipDirectory, type ZipRecord } from "./zip-directory.ts";
import { brokenZip, readPart, type ZipSource } from "./zip-source.ts";
import { nextTick } from "../next-tick.ts";

const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
/** Encrypted, patched, strongly encrypted, with masked headers. */
const FOREIGN_FLAGS = 0x1 | 0x20 | 0x40 | 0x2000;
const READ_BYTES = 64 * 1024;
/** Unpacked at once: it may become a thousand times as much. */
const STEP_BYTES = 16 * 1024;
const BYTES_BETWEEN_YIELDS = 1024 * 1024;
/** What a path may have, so what a link's target may. */
const MAX_TARGET_BYTES = 4096;

interface Placed {
  readonly record: ZipRecord;
  readonly path: string;
  readonly kind: ArchiveEntry["kind"];
  readonly mode: number;
  /** Where the next entry or the list begins. */
  readonly end: number;
}

/**
 * The entries of a zip archive in the order of its list. All of the list is checked against the limits before anything is
 * unpacked. Refused with a typed error: what `unpackTar` refuses, two entries of one path (`EEXIST`), entries that share
 * bytes, differ from their own headers, or have another size or checksum than they say (`EIO`), `\` in a name from a
 * system where it separates (`EACCES`), encryption and methods other than deflate (`unsupported`).
 */
export async function* unpackZip(source: ZipSource, limits: ArchiveLimits = {}): AsyncGenerator<ArchiveEntry> {
  const { records, start } = await readZipDirectory(source, limits.maxEntries ?? 100_000);
  const meter = createMeter(limits);
  let plain = 0;
  const placed = place(records, start);
  for (const { record, path, kind } of placed) {
    meter.add(path, kind === "file" ? record.size : 0);
    plain += record.size;
  }
  meter.unpacked(plain, source.size);
  for (const entry of placed) if (entry.path !== "/") yield await readEntry(source, entry);
}

function place(records: readonly ZipRecord[], start: number): Placed[] {
  const offsets = records.map(({ offset }) => offset).sort((a, b) => a - b);
  if (new Set(offsets).size < offsets.length) throw brokenZip("two entries are at one place");
  const ends = new Map(offsets.map((offset, index) => [offset, offsets[index + 1] ?? start]));
  const paths = new Set<string>();
  return records.map((record) => {
    const path = checkedPath(record);
    if (paths.has(path)) throw new TenrecError("EEXIST", { path });
    paths.add(path);
    return { record, path, ...zipAttributes(record), end: ends.get(record.offset) ?? start };
  });
}

function checkedPath(record: ZipRecord): string {
  const { name, flags, method } = record;
  if (hasForeignSeparators(record)) throw new TenrecError("EACCES", { path: name, reason: "a `\\` in its name" });
  const path = archiveTreePath(name);
  if (flags & FOREIGN_FLAGS) throw unsupported(path, "encryption");
  if (method !== STORED && method !== DEFLATED) throw unsupported(path, `compression method ${method}`);
  return path;
}

async function readEntry(source: ZipSource, placed: Placed): Promise<ArchiveEntry> {
  const { record, path, kind, mode } = placed;
  const at = await dataStart(source, placed);
  const { size } = record;
  if (kind === "directory") {
    if (size !== 0) throw brokenZip("a directory with content", path);
    return { path, kind, mode };
  }
  const file: Omit<FileEntry, "content"> = { path, kind: "file", mode, size };
  const pieces = checked(unpack(source, record, at), placed);
  if (kind === "file") return { ...file, content: await contentOfPieces(file, pieces, WHOLE_BYTES) };
  if (size > MAX_TARGET_BYTES) throw new TenrecError("EINVAL", { path, reason: "its target is too long" });
  return { path, kind, mode: LINK_MODE, target: decodeTarget(path, await bytesOf({ ...file, content: pieces })) };
}

/** Checks an entry's own header, and that its content ends before the next one. */
async function dataStart(source: ZipSource, { record, path, end }: Placed): Promise<number> {
  const { offset, rawName, packed } = record;
  const view = await readPart(source, offset, LOCAL_BYTES + rawName.length);
  const isSame =
    view.getUint32(0, true) === LOCAL &&
    view.getUint16(8, true) === record.method &&
    (view.getUint16(6, true) & FOREIGN_FLAGS) === 0 &&
    view.getUint16(26, true) === rawName.length &&
    rawName.every((byte, index) => byte === view.getUint8(LOCAL_BYTES + index));
  if (!isSame) throw brokenZip("its header is not what the list of entries says", path);
  const at = offset + LOCAL_BYTES + rawName.length + view.getUint16(28, true);
  if (at + packed > end) throw brokenZip("it shares bytes with another entry", path);
  return at;
}

async function* unpack(source: ZipSource, record: ZipRecord, at: number): AsyncGenerator<Uint8Array> {
  const packed = packedPieces(source, at, record.packed);
  if (record.method === STORED) {
    for await (const piece of packed) yield piece.slice();
    return;
  }
  const unpacked: Uint8Array[] = [];
  const inflate = new Inflate((piece) => unpacked.push(piece));
  let unyielded = 0;
  for await (const piece of packed) {
    for (let from = 0; from < piece.length; from += STEP_BYTES) {
      inflate.push(piece.slice(from, from + STEP_BYTES), false);
      for (const out of unpacked.splice(0)) {
        unyielded += out.length;
        yield out;
      }
      if (unyielded < BYTES_BETWEEN_YIELDS) continue;
      unyielded = 0;
      await nextTick();
    }
  }
  inflate.push(new Uint8Array(0), true);
  yield* unpacked;
}

async function* packedPieces(source: ZipSource, start: number, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < length; at += READ_BYTES) {
    const view = await readPart(source, start + at, Math.min(READ_BYTES, length - at));
    yield new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  }
}

/** Passes pieces on, never more than there should be, and compares the checksum at the end. */
async function* checked(pieces: AsyncIterable<Uint8Array>, { record, path }: Placed): AsyncGenerator<Uint8Array> {
  let length = 0;
  let crc = 0;
  try {
    for await (const piece of pieces) {
      length += piece.length;
      if (length > record.size) throw brokenZip(`it has more than its ${record.size} bytes`, path);
      crc = crc32(piece, crc);
      yield piece;
    }
  } catch (error) {
    if (error instanceof TenrecError) throw error;
    throw brokenZip(error instanceof Error ? error.message : String(error), path);
  }
  if (length !== record.size) throw brokenZip(`it has ${length} bytes instead of ${record.size}`, path);
  if (crc !== record.crc) throw brokenZip("its checksum is wrong", path);
}

function decodeTarget(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new TenrecError("EINVAL", { path, reason: "its target is not UTF-8" });
  }
}

function unsupported(path: string, what: string): TenrecError<"unsupported"> {
  return new TenrecError("unsupported", { what: `${what} (${path})`, by: "the import of zip archives" });
}
