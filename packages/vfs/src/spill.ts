import { TenrecError } from "@tenrec/protocol";
import { OF_HASH, PART_BYTES, readPartsRange } from "./blobs.ts";
import { type BucketOptions, type BucketPart, type BucketUpload, request, thresholdOf } from "./bucket.ts";
import type { ContentRef } from "./content.ts";
import type { StorageLike } from "./sql.ts";

/** Bytes of a part of an upload: R2 wants 5 MiB or more. */
const UPLOAD_BYTES = 8 * PART_BYTES;

export interface SpillHost {
  readonly storage: StorageLike;
  readonly now: () => number;
  readonly bucket?: BucketOptions | undefined;
}

/** What moved to the bucket. */
export interface Spilled {
  readonly contents: number;
  readonly bytes: number;
}

/**
 * Moves contents above the threshold from rows to the bucket. Each stays readable throughout: the rows go in the
 * transaction that names the finished object. A key is on record before its upload begins, so that an object that no
 * content got is found and deleted. `EIO` or `timeout` when the bucket fails; what has moved stays moved.
 */
export async function spill(host: SpillHost, signal?: AbortSignal): Promise<Spilled> {
  const { bucket, storage, now } = host;
  let contents = 0;
  let bytes = 0;
  if (!bucket) return { contents, bytes };
  for (const hash of largeContents(storage, thresholdOf(bucket))) {
    signal?.throwIfAborted();
    const size = inlineSize(storage, hash);
    if (size === undefined) continue;
    const key = `${bucket.prefix}/${hash}-${crypto.randomUUID().slice(0, 8)}`;
    storage.sql.exec("INSERT INTO tenrec_bucket_keys (key, state, changed_at) VALUES (?, 'pending', ?)", key, now());
    try {
      await upload(storage, bucket, { hash, size }, key, signal);
    } catch (error) {
      // Not condemned: a request that failed or hangs may still make the object after it was deleted.
      storage.sql.exec("UPDATE tenrec_bucket_keys SET changed_at = ? WHERE key = ?", now(), key);
      throw error;
    }
    if (!replaceRows(host, { hash, size }, key)) continue;
    contents++;
    bytes += size;
  }
  return { contents, bytes };
}

function largeContents({ sql }: StorageLike, threshold: number): string[] {
  // A content has this part when it has more bytes than the parts before hold.
  const part = Math.ceil(threshold / PART_BYTES);
  return sql
    .exec<{ hash: string }>(
      "SELECT hash FROM tenrec_blobs WHERE part = ? AND part > 0 AND state = 'live'",
      Math.max(1, part),
    )
    .toArray()
    .map(({ hash }) => hash);
}

/** Bytes of a content in rows; `undefined` when it went meanwhile. */
function inlineSize({ sql }: StorageLike, hash: string): number | undefined {
  const [row] = sql
    .exec<{ size: number | null }>(`SELECT SUM(size) AS size FROM tenrec_blobs WHERE ${OF_HASH} AND key IS NULL`, hash)
    .toArray();
  return row?.size ?? undefined;
}

async function upload(
  { sql }: StorageLike,
  bucket: BucketOptions,
  file: ContentRef,
  key: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const read = (offset: number): Uint8Array => readPartsRange(sql, file, { offset, length: UPLOAD_BYTES }, key);
  if (file.size <= UPLOAD_BYTES) {
    checkStored(await request(bucket, key, () => bucket.bucket.put(key, read(0))), file, key);
    return;
  }
  // One that a crash leaves behind here has no parts yet, and costs nothing.
  const multipart = await request(bucket, key, () => bucket.bucket.createMultipartUpload(key), abortUpload);
  sql.exec("UPDATE tenrec_bucket_keys SET upload = ? WHERE key = ?", multipart.uploadId, key);
  const parts: BucketPart[] = [];
  for (let offset = 0; offset < file.size; offset += UPLOAD_BYTES) {
    signal?.throwIfAborted();
    const bytes = read(offset);
    parts.push(await request(bucket, key, () => multipart.uploadPart(parts.length + 1, bytes)));
  }
  checkStored(await request(bucket, key, () => multipart.complete(parts)), file, key);
}

function abortUpload(multipart: BucketUpload): void {
  multipart.abort().catch(() => {});
}

// The rows are the only copy until here.
function checkStored({ size }: { readonly size: number }, file: ContentRef, key: string): void {
  if (size === file.size) return;
  throw new TenrecError("EIO", { path: key, reason: `the bucket stored ${size} of ${file.size} bytes` });
}

/** False when the content went meanwhile; its object is condemned then. */
function replaceRows({ storage, now }: SpillHost, { hash, size }: ContentRef, key: string): boolean {
  const { sql } = storage;
  return storage.transactionSync(() => {
    // Whoever gave up on this upload may have deleted the object: its record is what says that it is there.
    const [record] = sql
      .exec("DELETE FROM tenrec_bucket_keys WHERE key = ? AND state = 'pending' RETURNING key", key)
      .toArray();
    if (record === undefined) return false;
    if (inlineSize(storage, hash) !== size) {
      sql.exec("INSERT INTO tenrec_bucket_keys (key, state, changed_at) VALUES (?, 'condemned', ?)", key, now());
      return false;
    }
    sql.exec(`DELETE FROM tenrec_blobs WHERE ${OF_HASH}`, hash);
    sql.exec(
      "INSERT INTO tenrec_blobs (hash, part, size, state, changed_at, key) VALUES (?, 0, ?, 'live', ?, ?)",
      hash,
      size,
      now(),
      key,
    );
    return true;
  });
}

/**
 * Deletes the objects that no content names: condemned ones, and pending ones older than `before` (milliseconds since the
 * epoch), whose upload died. Returns how many. Without a bucket they stay on record.
 */
export async function deleteObjects({ storage, bucket }: SpillHost, before: number): Promise<number> {
  if (!bucket) return 0;
  const { sql } = storage;
  // From here on, no upload that is still under way can become a content.
  sql.exec("UPDATE tenrec_bucket_keys SET state = 'condemned' WHERE state = 'pending' AND changed_at <= ?", before);
  let deleted = 0;
  for (;;) {
    const rows = sql
      .exec<{ key: string; upload: string | null }>(
        "SELECT key, upload FROM tenrec_bucket_keys WHERE state = 'condemned' LIMIT 500",
      )
      .toArray();
    const [first] = rows;
    if (first === undefined) return deleted;
    for (const { key, upload } of rows) {
      // One that is finished or gone cannot be aborted, and need not be.
      if (upload !== null) await abortQuietly(bucket, key, upload);
    }
    const keys = rows.map(({ key }) => key);
    await request(bucket, first.key, () => bucket.bucket.delete(keys));
    sql.exec("DELETE FROM tenrec_bucket_keys WHERE key IN (SELECT value FROM json_each(?))", JSON.stringify(keys));
    deleted += keys.length;
  }
}

async function abortQuietly(bucket: BucketOptions, key: string, uploadId: string): Promise<void> {
  const abort = async (): Promise<void> => {
    await bucket.bucket
      .resumeMultipartUpload(key, uploadId)
      .abort()
      .catch(() => {});
  };
  await request(bucket, key, abort);
}
