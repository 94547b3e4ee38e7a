import { createHash } from "node:crypto";
import { TenrecError } from "@tenrec/protocol";
import { clearBlob, knownBlobs, missing, OF_HASH, PART_BYTES, writeBlob } from "./blobs.ts";
import type { ContentRef } from "./content.ts";
import type { Pins } from "./pins.ts";
import { sha256 } from "./sha256.ts";
import type { StorageLike } from "./sql.ts";

/** What storing a content needs. */
export interface SpoolHost {
  readonly storage: StorageLike;
  readonly now: () => number;
  readonly pins: Pins;
}

/** Stores a content that is at hand, all of it or nothing. No tree refers to it yet. */
export function storeBytes({ storage, now }: Omit<SpoolHost, "pins">, bytes: Uint8Array): ContentRef {
  const hash = sha256(bytes);
  storage.transactionSync(() => writeBlob(storage.sql, hash, bytes, now()));
  return { hash, size: bytes.length };
}

/**
 * Stores a content that arrives in pieces and holds at most one part of it. Until `finish`, its rows are nobody's, kept
 * for as long as the spool is neither finished nor dropped; what a crash leaves of it is swept.
 */
export class Spool {
  readonly #host: SpoolHost;
  readonly #limit: { readonly path: string; readonly maxBytes: number };
  /** Stands for the hash, which is not known yet. */
  readonly #id = `spool:${crypto.randomUUID()}`;
  readonly #pin: Disposable;
  readonly #hash = createHash("sha256");
  #part = new Uint8Array(PART_BYTES);
  #filled = 0;
  #parts = 0;

  /** More than `maxBytes` are `EFBIG` for `path`. To be finished or dropped, whatever happens. */
  constructor(host: SpoolHost, limit: { readonly path: string; readonly maxBytes: number }) {
    this.#host = host;
    this.#limit = limit;
    this.#pin = host.pins.holdContent(this.#id);
  }

  get size(): number {
    return this.#parts * PART_BYTES + this.#filled;
  }

  add(bytes: Uint8Array): void {
    const { path, maxBytes } = this.#limit;
    if (!(bytes instanceof Uint8Array)) {
      throw new TenrecError("EINVAL", { path, reason: "a piece of its content is no Uint8Array" });
    }
    const size = this.size + bytes.length;
    if (size > maxBytes) throw new TenrecError("EFBIG", { path, size, limit: maxBytes });
    this.#hash.update(bytes);
    for (let at = 0; at < bytes.length;) {
      if (this.#filled === PART_BYTES) this.#writePart();
      const piece = bytes.subarray(at, at + PART_BYTES - this.#filled);
      this.#part.set(piece, this.#filled);
      this.#filled += piece.length;
      at += piece.length;
    }
  }

  /** SHA-256 of what was added so far, in hex. */
  hash(): string {
    return this.#hash.copy().digest("hex");
  }

  /** Makes it a content of the store. `EIO` when a part of it is gone. */
  finish(): ContentRef {
    const { storage, now } = this.#host;
    const { sql } = storage;
    const hash = this.hash();
    const { size } = this;
    storage.transactionSync(() => {
      if (knownBlobs(sql, [hash]).has(hash)) {
        this.#deleteParts();
      } else if (this.#parts === 0) {
        writeBlob(sql, hash, this.#part.subarray(0, this.#filled), now());
      } else {
        this.#writePart();
        clearBlob(sql, hash, now());
        const renamed = sql
          .exec(
            `UPDATE tenrec_blobs SET hash = ?2, state = 'live', changed_at = ?3 WHERE ${OF_HASH} RETURNING part`,
            this.#id,
            hash,
            now(),
          )
          .toArray();
        if (renamed.length !== this.#parts) throw missing(this.#limit.path, hash);
      }
    });
    this.#pin[Symbol.dispose]();
    return { hash, size };
  }

  /** Gives up: what was stored of it goes at once. */
  drop(): void {
    this.#pin[Symbol.dispose]();
    this.#deleteParts();
  }

  #deleteParts(): void {
    if (this.#parts > 0) this.#host.storage.sql.exec(`DELETE FROM tenrec_blobs WHERE ${OF_HASH}`, this.#id);
  }

  #writePart(): void {
    const { storage, now } = this.#host;
    const data = this.#part.subarray(0, this.#filled);
    storage.sql.exec(
      "INSERT INTO tenrec_blobs (hash, part, size, state, changed_at, data) VALUES (?, ?, ?, 'pending', ?, ?)",
      this.#id,
      this.#parts,
      data.length,
      now(),
      data,
    );
    this.#parts++;
    this.#filled = 0;
  }
}
