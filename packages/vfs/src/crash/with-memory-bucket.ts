import type { Bucket, BucketUpload } from "../bucket.ts";

/** A bucket in memory, with R2's rules for what the store uses of one. */
export class MemoryBucket implements Bucket {
  readonly objects: Map<string, Uint8Array>;
  readonly uploads: Map<string, Map<number, Uint8Array>>;
  #made = 0;

  constructor(objects: Iterable<[string, Uint8Array]> = [], uploads: Iterable<[string, Map<number, Uint8Array>]> = []) {
    this.objects = new Map(objects);
    this.uploads = new Map(uploads);
  }

  clone(): MemoryBucket {
    const copy = new MemoryBucket(this.objects, this.uploads);
    copy.#made = this.#made;
    return copy;
  }

  async get(key: string, options?: { range: { offset: number; length: number } }) {
    const bytes = this.objects.get(key);
    if (bytes === undefined) return null;
    const { offset, length } = options?.range ?? { offset: 0, length: bytes.length };
    return memoryObject(bytes.slice(offset, offset + length));
  }

  async put(key: string, value: Uint8Array) {
    this.objects.set(key, value.slice());
    return { size: value.length };
  }

  async createMultipartUpload(key: string): Promise<BucketUpload> {
    const uploadId = `upload-${(this.#made += 1)}`;
    this.uploads.set(uploadId, new Map());
    return this.resumeMultipartUpload(key, uploadId);
  }

  resumeMultipartUpload(key: string, uploadId: string): BucketUpload {
    const partsOf = (): Map<number, Uint8Array> => {
      const parts = this.uploads.get(uploadId);
      if (parts === undefined) throw new Error("The specified multipart upload does not exist. (10024)");
      return parts;
    };
    return {
      uploadId,
      uploadPart: async (partNumber, value) => {
        partsOf().set(partNumber, value.slice());
        return { partNumber, etag: `${uploadId}-${partNumber}` };
      },
      complete: async (named) => {
        const parts = partsOf();
        const bytes = named.map(({ partNumber }) => parts.get(partNumber) ?? new Uint8Array());
        this.uploads.delete(uploadId);
        this.objects.set(key, new Uint8Array(await new Blob(bytes as Uint8Array<ArrayBuffer>[]).arrayBuffer()));
        return { size: bytes.reduce((sum, { length }) => sum + length, 0) };
      },
      abort: async () => {
        partsOf();
        this.uploads.delete(uploadId);
      },
    };
  }

  async delete(keys: string[]): Promise<void> {
    for (const key of keys) this.objects.delete(key);
  }
}

export function memoryObject(bytes: Uint8Array<ArrayBuffer>): {
  body: ReadableStream<Uint8Array>;
  arrayBuffer(): Promise<ArrayBuffer>;
} {
  const response = new Response(bytes);
  return { body: response.body ?? new ReadableStream(), arrayBuffer: () => response.arrayBuffer() };
}
