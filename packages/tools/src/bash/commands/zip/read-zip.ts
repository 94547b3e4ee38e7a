import { crc32 } from "node:zlib";
import { Inflate } from "fflate";
import { MAX_ARCHIVE_BYTES } from "../tar/read-archive.ts";

/** An entry as the list at the archive's end has it. */
export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly size: number;
  readonly packed: number;
  readonly crc: number;
  readonly isEncrypted: boolean;
  /** Of Unix, its kind of file in it; 0 when it was made elsewhere. */
  readonly mode: number;
  readonly mtime: Date;
  readonly offset: number;
}

/** An archive, or an entry, that cannot be read. */
export class ZipError extends Error {
  override readonly name = "ZipError";
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
/** So little that what comes of it fits into memory, whatever it is. */
const PACKED_CHUNK = 4096;
const MAX_NAME = 1024;

/** Undefined where there is no list; throws a `ZipError` for one that is damaged. */
export function readZip(bytes: Uint8Array): ZipEntry[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== END) end--;
  if (end < 0) return undefined;
  const entries: ZipEntry[] = [];
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (at + 46 > end || view.getUint32(at, true) !== CENTRAL)
      throw new ZipError("expected central file header signature not found");
    const [name, extra, comment] = [28, 30, 32].map((field) => view.getUint16(at + field, true)) as [
      number,
      number,
      number,
    ];
    if (name > MAX_NAME) throw new ZipError("a name in the archive is too long");
    entries.push(entryAt(view, at, bytes.subarray(at + 46, at + 46 + name)));
    at += 46 + name + extra + comment;
  }
  return entries;
}

function entryAt(view: DataView, at: number, name: Uint8Array): ZipEntry {
  const [time, date] = [view.getUint16(at + 12, true), view.getUint16(at + 14, true)];
  const isUnix = view.getUint8(at + 5) === 3;
  return {
    name: new TextDecoder().decode(name),
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    packed: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
    isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
    mode: isUnix ? view.getUint32(at + 38, true) >>> 16 : 0,
    mtime: new Date(
      Date.UTC(1980 + (date >> 9), ((date >> 5) & 15) - 1, date & 31, time >> 11, (time >> 5) & 63, (time & 31) * 2),
    ),
    offset: view.getUint32(at + 42, true),
  };
}

/** The content. Throws a `ZipError` for what is damaged, too large or of a kind that is not read here. */
export function readEntry(bytes: Uint8Array, entry: ZipEntry): Uint8Array {
  const { name, offset, size, packed, method } = entry;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (entry.isEncrypted) throw new ZipError(`${name}: encrypted entries are not read here`);
  if (method !== 0 && method !== 8) throw new ZipError(`${name}: unsupported compression method ${method}`);
  if (size > MAX_ARCHIVE_BYTES)
    throw new ZipError(`${name}: ${size} bytes, the limit of this shell is ${MAX_ARCHIVE_BYTES}`);
  if (offset + 30 > bytes.length || view.getUint32(offset, true) !== LOCAL)
    throw new ZipError(`${name}: bad zipfile offset`);
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  const body = bytes.subarray(start, start + packed);
  const data = method === 0 ? body : inflated(body, entry);
  if (data.length !== size || crc32(data) !== entry.crc) throw new ZipError(`${name}: bad CRC`);
  return data;
}

function inflated(body: Uint8Array, { name, size }: ZipEntry): Uint8Array {
  const data = new Uint8Array(size);
  let filled = 0;
  const inflater = new Inflate((part) => {
    if (filled + part.length > size) throw new ZipError(`${name}: more bytes than it says`);
    data.set(part, filled);
    filled += part.length;
  });
  try {
    for (let at = 0; at < body.length; at += PACKED_CHUNK)
      inflater.push(body.subarray(at, at + PACKED_CHUNK), at + PACKED_CHUNK >= body.length);
  } catch (error) {
    if (error instanceof ZipError) throw error;
    throw new ZipError(`${name}: invalid compressed data to inflate`);
  }
  return data.subarray(0, filled);
}
