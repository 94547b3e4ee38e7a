import type { StoredObject } from "../inside/r2-object.ts";
import { hexDigest } from "./hex-digest.ts";
import { checkKey, type R2Table } from "./r2-table.ts";
import { SqlBytes } from "./sql-bytes.ts";

type UploadFields = Pick<StoredObject, "httpMetadata" | "customMetadata">;

interface Part extends Record<string, SqlStorageValue> {
  number: number;
  etag: string;
  md5: string;
  size: number;
}

const UPLOADS = "CREATE TABLE IF NOT EXISTS uploads (id TEXT PRIMARY KEY, key TEXT, fields TEXT, over INTEGER)";
const PARTS = `CREATE TABLE IF NOT EXISTS upload_parts (id TEXT, number INTEGER, etag TEXT, md5 TEXT, size INTEGER,
  PRIMARY KEY (id, number)) WITHOUT ROWID`;

/** All parts but the last have at least this many bytes. */
const LEAST_PART = 5 * 1024 * 1024;
/** What is put together is read in one message of at most 32 MiB. */
const MOST_BYTES = 30 * 1024 * 1024;

/** The uploads in parts to one R2 bucket; what `src/inside/r2-upload.ts` calls. */
export class R2Uploads {
  readonly #storage: DurableObjectStorage;
  readonly #table: R2Table;
  readonly #values: SqlBytes;

  constructor(storage: DurableObjectStorage, table: R2Table) {
    this.#storage = storage;
    this.#table = table;
    storage.sql.exec(UPLOADS);
    storage.sql.exec(PARTS);
    this.#values = new SqlBytes(storage.sql, "upload_bytes");
  }

  /** Answers with the upload's id. */
  create(key: string, fields: UploadFields): string {
    checkKey("createMultipartUpload", key);
    const id = crypto.randomUUID().replaceAll("-", "") + crypto.randomUUID().replaceAll("-", "");
    const query = "INSERT INTO uploads (id, key, fields, over) VALUES (?, ?, ?, 0)";
    this.#storage.sql.exec(query, id, key, JSON.stringify(fields));
    return id;
  }

  /** Answers with the part's tag. A part with the same number is replaced. */
  async put(key: string, id: string, number: number, value: ArrayBuffer): Promise<string> {
    const md5 = await hexDigest("MD5", value);
    const etag = crypto.randomUUID().replaceAll("-", "");
    this.#storage.transactionSync(() => {
      if (!this.#fieldsOf(key, id)) throw failure("uploadPart", NO_UPLOAD);
      const query = "INSERT OR REPLACE INTO upload_parts (id, number, etag, md5, size) VALUES (?, ?, ?, ?, ?)";
      this.#storage.sql.exec(query, id, number, etag, md5, value.byteLength);
      this.#values.write(`${id}/${number}`, new Uint8Array(value));
    });
    return etag;
  }

  /** Makes an object of the parts that are named; the others are dropped. */
  async complete(
    key: string,
    id: string,
    named: readonly { readonly partNumber: number; readonly etag: string }[],
  ): Promise<StoredObject> {
    const fail = (reason: string): Error => failure("completeMultipartUpload", reason);
    if (!this.#fieldsOf(key, id)) throw fail(NO_UPLOAD);
    const parts = this.#partsOf(id);
    const chosen = named.map(({ partNumber, etag }) => {
      const part = parts.find(({ number }) => number === partNumber);
      if (part?.etag !== etag) throw fail("One or more of the specified parts could not be found. (10025)");
      return part;
    });
    if (new Set(chosen).size < chosen.length) throw fail("We encountered an internal error. Please try again. (10001)");
    checkSizes(chosen, fail);
    const sorted = chosen.toSorted((a, b) => a.number - b.number);
    const md5 = sorted.map((part) => part.md5).join("");
    const bytes = Uint8Array.from(md5.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    const etag = `${await hexDigest("MD5", bytes)}-${sorted.length}`;
    return this.#storage.transactionSync(() => {
      const fields = this.#fieldsOf(key, id);
      if (!fields) throw fail(NO_UPLOAD);
      const value = this.#joined(id, sorted);
      this.#end(id);
      return this.#table.store(key, value, { etag, checksums: {}, ...fields });
    });
  }

  abort(key: string, id: string): void {
    const query = "SELECT 1 FROM uploads WHERE id = ? AND key = ?";
    const isKnown = this.#storage.sql.exec(query, id, key).toArray().length > 0;
    if (!isKnown) throw failure("abortMultipartUpload", "We encountered an internal error. Please try again. (10001)");
    this.#storage.transactionSync(() => this.#end(id));
  }

  /** Undefined for an upload that is over, or is none to this key. */
  #fieldsOf(key: string, id: string): UploadFields | undefined {
    const query = "SELECT fields FROM uploads WHERE id = ? AND key = ? AND over = 0";
    const [row] = this.#storage.sql.exec<{ fields: string }>(query, id, key).toArray();
    return row && (JSON.parse(row.fields) as UploadFields);
  }

  #partsOf(id: string): Part[] {
    return this.#storage.sql.exec<Part>("SELECT number, etag, md5, size FROM upload_parts WHERE id = ?", id).toArray();
  }

  #joined(id: string, parts: readonly Part[]): ArrayBuffer {
    const all = new Uint8Array(sizeOf(parts));
    let at = 0;
    for (const { number, size } of parts) {
      all.set(new Uint8Array(this.#values.read(`${id}/${number}`, size)), at);
      at += size;
    }
    return all.buffer;
  }

  #end(id: string): void {
    for (const { number } of this.#partsOf(id)) this.#values.delete(`${id}/${number}`);
    this.#storage.sql.exec("DELETE FROM upload_parts WHERE id = ?", id);
    this.#storage.sql.exec("UPDATE uploads SET over = 1 WHERE id = ?", id);
  }
}

const NO_UPLOAD = "The specified multipart upload does not exist. (10024)";

function failure(method: string, reason: string): Error {
  return new Error(`${method}: ${reason}`);
}

function sizeOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { size }) => sum + size, 0);
}

/** In the order in which they were named, all but the last are large enough, and in their own order of one size. */
function checkSizes(parts: readonly Part[], fail: (reason: string) => Error): void {
  if (parts.slice(0, -1).some(({ size }) => size < LEAST_PART)) {
    throw fail("Your proposed upload is smaller than the minimum allowed object size. (10011)");
  }
  const sizes = parts.toSorted((a, b) => a.number - b.number).map(({ size }) => size);
  const [first = 0, last = 0] = [sizes[0], sizes.at(-1)];
  if (last > first || sizes.slice(0, -1).some((size) => size !== first || size < LEAST_PART)) {
    throw fail("There was a problem with the multipart upload. (10048)");
  }
  const size = sizeOf(parts);
  if (size > MOST_BYTES) {
    throw fail(`The parts have ${size} bytes; a preview stores at most ${MOST_BYTES} in one object. (10043)`);
  }
}
