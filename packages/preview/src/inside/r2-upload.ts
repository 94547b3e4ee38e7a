import { ObjectStandIn, type StoredObject } from "./r2-object.ts";
import { bytesForR2, MOST_BYTES } from "./r2-value.ts";

type Call = (method: string, args: readonly unknown[]) => Promise<unknown>;

interface UploadedPart {
  readonly partNumber: number;
  readonly etag: string;
}

const MOST_PARTS = 10_000;

/** Stands in for `R2MultipartUpload`. */
export class UploadStandIn {
  readonly key: string;
  readonly uploadId: string;
  readonly #call: Call;

  constructor(call: Call, key: string, uploadId: string) {
    this.key = key;
    this.uploadId = uploadId;
    this.#call = call;
  }

  async uploadPart(partNumber: number, value: unknown): Promise<UploadedPart> {
    if (!(partNumber >= 1 && partNumber <= MOST_PARTS)) {
      throw new TypeError(
        `Part number must be between 1 and ${MOST_PARTS} (inclusive). Actual value was: ${partNumber}`,
      );
    }
    const bytes = await bytesForR2(value, "uploadPart", "R2MultipartUpload");
    if (bytes.byteLength > MOST_BYTES) {
      throw new Error(
        `uploadPart: the part has ${bytes.byteLength} bytes; a preview takes at most ${MOST_BYTES} in one. (10043)`,
      );
    }
    const etag = (await this.#call("putPart", [this.key, this.uploadId, partNumber, bytes])) as string;
    return { partNumber, etag };
  }

  async complete(parts: readonly UploadedPart[]): Promise<ObjectStandIn> {
    const named = parts.map(({ partNumber, etag }) => ({ partNumber, etag }));
    return new ObjectStandIn(
      (await this.#call("completeUpload", [this.key, this.uploadId, named])) as StoredObject,
      false,
    );
  }

  async abort(): Promise<void> {
    await this.#call("abortUpload", [this.key, this.uploadId]);
  }
}
