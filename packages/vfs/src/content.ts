import { createHash } from "node:crypto";
import { TenrecError } from "@tenrec/protocol";
import { findPlace, missing, OF_HASH, PART_BYTES, readParts, readPartsRange } from "./blobs.ts";
import { type BucketObject, type BucketOptions, request } from "./bucket.ts";
import { sha256 } from "./sha256.ts";
import type { StorageLike } from "./sql.ts";

/** Where contents are. */
export interface ContentHost {
  readonly storage: StorageLike;
  readonly bucket?: BucketOptions | undefined;
}

export interface ContentRef {
  /** SHA-256 of the bytes. */
  readonly hash: string;
  readonly size: number;
}

interface Range {
  readonly offset: number;
  readonly length: number;
}

/**
 * The content of a file; the caller owns it. At once for what SQLite holds, later for what is in the bucket. `EIO` when a
 * part is missing, when the bucket fails or gives something else, `timeout` when it does not answer.
 */
export function readContent(host: ContentHost, file: ContentRef, path: string): Uint8Array | Promise<Uint8Array> {
  const bytes = readParts(host.storage.sql, file, path);
  return bytes instanceof Uint8Array ? bytes : fetchWhole(host, file, path, bytes.key);
}

/** A part of a content, without reading the rest: fewer bytes at its end. */
export function readContentRange(
  host: ContentHost,
  file: ContentRef,
  range: Range,
  path: string,
): Uint8Array | Promise<Uint8Array> {
  const length = Math.max(0, Math.min(file.size, range.offset + range.length) - range.offset);
  if (length === 0) return new Uint8Array(0);
  const place = findPlace(host.storage.sql, file, path);
  if (place === undefined) return readPartsRange(host.storage.sql, file, { offset: range.offset, length }, path);
  return fetchBytes(host, file, path, place.key, { offset: range.offset, length });
}

/**
 * The pieces of a content in order, each of at most 1 MiB and owned by the caller. Holds one at a time. What comes from
 * the bucket is checked at its end: until then, do not act on it.
 */
export async function* streamContent(host: ContentHost, file: ContentRef, path: string): AsyncGenerator<Uint8Array> {
  let offset = 0;
  while (offset < file.size) {
    // Asked anew for each piece: the content may move to the bucket meanwhile.
    const place = findPlace(host.storage.sql, file, path);
    if (place) {
      const pieces = fetchPieces(host, file, path, { key: place.key, offset });
      yield* offset === 0 ? checkedPieces(pieces, file, path) : pieces;
      return;
    }
    const piece = readPartsRange(host.storage.sql, file, { offset, length: PART_BYTES }, path);
    offset += piece.length;
    yield piece;
  }
}

async function* checkedPieces(
  pieces: AsyncIterable<Uint8Array>,
  file: ContentRef,
  path: string,
): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
  if (hash.digest("hex") !== file.hash) throw different(path, file);
}

async function fetchWhole(host: ContentHost, file: ContentRef, path: string, key: string): Promise<Uint8Array> {
  const bytes = await fetchBytes(host, file, path, key, { offset: 0, length: file.size });
  if (sha256(bytes) !== file.hash) throw different(path, file);
  return bytes;
}

async function fetchBytes(
  host: ContentHost,
  file: ContentRef,
  path: string,
  key: string,
  range: Range,
): Promise<Uint8Array> {
  const bucket = requireBucket(host, file, path);
  const bytes = await request(bucket, path, async () => {
    const object = await bucket.bucket.get(key, { range });
    return new Uint8Array(await found(host, file, path, { object, key }).arrayBuffer());
  });
  if (bytes.length !== range.length) throw missing(path, file.hash);
  return bytes;
}

async function* fetchPieces(
  host: ContentHost,
  file: ContentRef,
  path: string,
  { key, offset }: { key: string; offset: number },
): AsyncGenerator<Uint8Array> {
  const bucket = requireBucket(host, file, path);
  const range = { offset, length: file.size - offset };
  const answer = await request(bucket, path, () => bucket.bucket.get(key, { range }), cancelBody);
  const object = found(host, file, path, { object: answer, key });
  const reader = object.body.getReader();
  try {
    let left = range.length;
    for (;;) {
      // Not repeatable: what was read is gone.
      const { done, value } = await request(bucket, path, () => reader.read().catch(asIoError(path)));
      if (done) break;
      left -= value.length;
      if (left < 0) break;
      // Each piece with a buffer of its own: who gets one may transfer it.
      if (value.length <= PART_BYTES) yield value;
      else for (let at = 0; at < value.length; at += PART_BYTES) yield value.slice(at, at + PART_BYTES);
    }
    if (left !== 0) throw missing(path, file.hash);
  } finally {
    // Not awaited: a bucket that hangs may hang in this too.
    reader.cancel().catch(() => {});
  }
}

function cancelBody(object: BucketObject | null): void {
  object?.body.cancel().catch(() => {});
}

function asIoError(path: string): (error: unknown) => never {
  return (error) => {
    const reason = `the bucket broke off: ${error instanceof Error ? error.message : String(error)}`;
    throw new TenrecError("EIO", { path, reason }, { cause: error });
  };
}

function requireBucket(host: ContentHost, file: ContentRef, path: string): BucketOptions {
  if (host.bucket) return host.bucket;
  throw new TenrecError("EIO", { path, reason: `its content ${file.hash} is in a bucket, and none is configured` });
}

function different(path: string, { hash }: ContentRef): TenrecError<"EIO"> {
  return new TenrecError("EIO", { path, reason: `what the bucket gave for its content ${hash} is something else` });
}

// What is lost is noted, so that the same content is stored again when somebody writes it.
function found(
  host: ContentHost,
  { hash }: ContentRef,
  path: string,
  { object, key }: { object: BucketObject | null; key: string },
): BucketObject {
  if (object) return object;
  host.storage.sql.exec(`UPDATE tenrec_blobs SET state = 'lost' WHERE ${OF_HASH} AND key = ?2`, hash, key);
  throw missing(path, hash);
}
