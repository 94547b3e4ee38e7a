import { TenrecError } from "@tenrec/protocol";
import { zipName } from "./zip-names.ts";
import { brokenZip, readPart, type ZipSource } from "./zip-source.ts";

/** An entry as the archive's central directory has it. */
export interface ZipRecord {
  /** Its name as text, and as bytes. */
  readonly name: string;
  readonly rawName: Uint8Array;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  /** Bytes in the archive. */
  readonly packed: number;
  readonly size: number;
  /** Where its local header is. */
  readonly offset: number;
  /** The system that it was made on, as the format numbers them. */
  readonly host: number;
  /** "External attributes": with Unix as host, the mode is in the upper half. */
  readonly attributes: number;
}

export interface ZipDirectory {
  readonly records: readonly ZipRecord[];
  /** Where the directory begins, and so all content ends. */
  readonly start: number;
}

const END = 0x06054b50;
const END_BYTES = 22;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const CENTRAL = 0x02014b50;
const CENTRAL_BYTES = 46;
const FULL_16 = 0xffff;
const FULL_32 = 0xffffffff;
const FLAG_UTF8 = 0x800;
/** Read as a whole. */
const MAX_DIRECTORY_BYTES = 32 * 1024 * 1024;

interface End {
  readonly count: number;
  readonly bytes: number;
  readonly start: number;
}

/**
 * Reads the list at an archive's end, which is what counts. `EIO` when it is not where it says, or other bytes than
 * entries are before or behind it; `ENOSPC` for more than `maxEntries`. Splitting over several disks is `unsupported`.
 */
export async function readZipDirectory(source: ZipSource, maxEntries: number): Promise<ZipDirectory> {
  const { count, bytes, start } = await readEnd(source);
  if (count > maxEntries) throw new TenrecError("ENOSPC", { used: count, limit: maxEntries });
  if (bytes > MAX_DIRECTORY_BYTES) throw new TenrecError("ENOSPC", { used: bytes, limit: MAX_DIRECTORY_BYTES });
  const view = await readPart(source, start, bytes);
  const records: ZipRecord[] = [];
  let at = 0;
  while (at < bytes) {
    const { record, length } = readRecord(view, at);
    records.push(record);
    at += length;
  }
  if (records.length !== count) throw brokenZip(`it has ${records.length} entries instead of ${count}`);
  return { records, start };
}

async function readEnd(source: ZipSource): Promise<End> {
  const { tail, at, position } = await findEnd(source);
  const [disk, startDisk, onDisk, count] = [4, 6, 8, 10].map((field) =>
    tail.getUint16(at + field, true),
  ) as FourNumbers;
  const end = { count, bytes: tail.getUint32(at + 12, true), start: tail.getUint32(at + 16, true) };
  const isLarge = count === FULL_16 || end.bytes === FULL_32 || end.start === FULL_32;
  const large = isLarge ? await readLargeEnd(source, position) : undefined;
  if (!large && (disk + startDisk !== 0 || onDisk !== count)) throw unsupported("several disks");
  const found = large ?? { end, position };
  if (found.end.start + found.end.bytes !== found.position) throw brokenZip("there are other bytes before it or in it");
  return found.end;
}

type FourNumbers = [number, number, number, number];

/** The comment at the end may hold anything, so the first end from the back that reaches exactly to the back counts. */
async function findEnd(source: ZipSource): Promise<{ tail: DataView; at: number; position: number }> {
  const length = Math.min(source.size, END_BYTES + FULL_16);
  const tail = await readPart(source, source.size - length, length);
  for (let at = length - END_BYTES; at >= 0; at--) {
    if (tail.getUint32(at, true) !== END || tail.getUint16(at + 20, true) !== length - at - END_BYTES) continue;
    return { tail, at, position: source.size - length + at };
  }
  throw brokenZip("its end is missing");
}

/** The end in its larger form, `undefined` when there is none. */
async function readLargeEnd(source: ZipSource, before: number): Promise<{ end: End; position: number } | undefined> {
  if (before < 20) return undefined;
  const locator = await readPart(source, before - 20, 20);
  if (locator.getUint32(0, true) !== LOCATOR_64) return undefined;
  const position = numberAt(locator, 8);
  const view = await readPart(source, position, 56);
  if (view.getUint32(0, true) !== END_64 || numberAt(view, 4) + 12 + position !== before - 20) {
    throw brokenZip("its end is not where it says");
  }
  const count = numberAt(view, 32);
  const isSplit = view.getUint32(16, true) !== 0 || view.getUint32(20, true) !== 0 || numberAt(view, 24) !== count;
  if (isSplit) throw unsupported("several disks");
  return { end: { count, bytes: numberAt(view, 40), start: numberAt(view, 48) }, position };
}

function readRecord(view: DataView, at: number): { record: ZipRecord; length: number } {
  const left = view.byteLength - at;
  if (left < CENTRAL_BYTES || view.getUint32(at, true) !== CENTRAL) throw brokenZip("its list of entries is damaged");
  const nameLength = view.getUint16(at + 28, true);
  const extraLength = view.getUint16(at + 30, true);
  const length = CENTRAL_BYTES + nameLength + extraLength + view.getUint16(at + 32, true);
  if (length > left) throw brokenZip("its list of entries is cut off");
  const bytes = (offset: number, count: number): Uint8Array =>
    new Uint8Array(view.buffer, view.byteOffset + offset, count);
  const rawName = bytes(at + CENTRAL_BYTES, nameLength);
  const extra = readExtra(bytes(at + CENTRAL_BYTES + nameLength, extraLength));
  const flags = view.getUint16(at + 8, true);
  const wide = widened(
    {
      size: view.getUint32(at + 24, true),
      packed: view.getUint32(at + 20, true),
      offset: view.getUint32(at + 42, true),
    },
    extra.get(1),
  );
  const record = {
    ...wide,
    name: zipName(rawName, (flags & FLAG_UTF8) !== 0, extra.get(0x7075)),
    rawName,
    flags,
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    host: view.getUint8(at + 5),
    attributes: view.getUint32(at + 38, true),
  };
  return { record, length };
}

/** Fields of an extra block by their numbers; the first of a number counts. */
function readExtra(extra: Uint8Array): Map<number, Uint8Array> {
  const fields = new Map<number, Uint8Array>();
  const view = new DataView(extra.buffer, extra.byteOffset, extra.length);
  for (let at = 0; at + 4 <= extra.length;) {
    const id = view.getUint16(at, true);
    const end = at + 4 + view.getUint16(at + 2, true);
    if (end > extra.length) break;
    if (!fields.has(id)) fields.set(id, extra.subarray(at + 4, end));
    at = end;
  }
  return fields;
}

type Sizes = Pick<ZipRecord, "size" | "packed" | "offset">;

/** Sizes that need more than 32 bits are in a field of their own, only those and in this order. */
function widened(sizes: Sizes, field: Uint8Array | undefined): Sizes {
  const wide = { ...sizes };
  const view = field && new DataView(field.buffer, field.byteOffset, field.length);
  let at = 0;
  for (const key of ["size", "packed", "offset"] as const) {
    if (sizes[key] !== FULL_32) continue;
    if (!view || at + 8 > view.byteLength) throw brokenZip("a size is missing");
    wide[key] = numberAt(view, at);
    at += 8;
  }
  return wide;
}

function numberAt(view: DataView, at: number): number {
  const value = Number(view.getBigUint64(at, true));
  if (!Number.isSafeInteger(value)) throw brokenZip("it has a number that no archive has");
  return value;
}

function unsupported(what: string): TenrecError {
  return new TenrecError("unsupported", { what: `a zip archive with ${what}`, by: "the import" });
}
