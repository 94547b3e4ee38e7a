import { TenrecError } from "@tenrec/protocol";

/** What the store asks of an object in a bucket. */
export interface BucketObject {
  readonly body: ReadableStream<Uint8Array>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** An object that was stored. */
export interface BucketStored {
  readonly size: number;
}

/** A multipart upload in progress. */
export interface BucketUpload {
  readonly uploadId: string;
  /** Parts count from 1; all but the last have the same size, of at least 5 MiB. */
  uploadPart(partNumber: number, value: Uint8Array): Promise<BucketPart>;
  complete(parts: BucketPart[]): Promise<BucketStored>;
  /** Throws when there is no such upload, or no more. */
  abort(): Promise<void>;
}

export interface BucketPart {
  partNumber: number;
  etag: string;
}

/** The part of an R2 bucket that the store uses. A method that fails throws; `get` of a key that is not there is `null`. */
export interface Bucket {
  get(key: string, options?: { range: { offset: number; length: number } }): Promise<BucketObject | null>;
  put(key: string, value: Uint8Array): Promise<BucketStored>;
  createMultipartUpload(key: string): Promise<BucketUpload>;
  /** Asks nothing of the bucket. */
  resumeMultipartUpload(key: string, uploadId: string): BucketUpload;
  delete(keys: string[]): Promise<void>;
}

export interface BucketOptions {
  readonly bucket: Bucket;
  /** Begins every key, with a `/` after it: no other store may use the same one. The id of the Durable Object is a good choice. */
  readonly prefix: string;
  /** A content with more bytes may move to the bucket; default 4 MiB, rounded up to whole MiB. */
  readonly threshold?: number;
  /** Milliseconds that one request may take; default 30,000. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_THRESHOLD = 4 * 1024 * 1024;
/** Waits before a request that failed is made again, in milliseconds. */
const RETRY_DELAYS = [50, 400];

export function thresholdOf({ threshold = DEFAULT_THRESHOLD }: BucketOptions): number {
  return threshold;
}

/**
 * Makes a request to the bucket, twice more when it fails: `EIO` then, `timeout` for one that does not answer. `path` is
 * what the message names. An answer that comes too late goes to `discard`. What failed may have taken effect, or take it
 * later.
 */
export async function request<T>(
  { timeoutMs = DEFAULT_TIMEOUT_MS }: BucketOptions,
  path: string,
  work: () => Promise<T>,
  discard: (late: T) => void = () => {},
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await withTimeout(work, { ms: timeoutMs, path, discard });
    } catch (error) {
      if (error instanceof TenrecError) throw error;
      const delay = RETRY_DELAYS[attempt];
      if (delay === undefined) {
        const reason = `the bucket failed: ${error instanceof Error ? error.message : String(error)}`;
        throw new TenrecError("EIO", { path, reason }, { cause: error });
      }
      await new Promise((done) => setTimeout(done, delay));
    }
  }
}

async function withTimeout<T>(
  work: () => Promise<T>,
  { ms, path, discard }: { ms: number; path: string; discard: (late: T) => void },
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const answer = work();
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new TenrecError("timeout", { what: `The bucket's answer for ${path}`, ms }));
      answer.then(discard, () => {});
    }, ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
