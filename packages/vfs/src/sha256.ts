import { hash } from "node:crypto";

/** SHA-256 in lower-case hex; text is hashed as UTF-8. */
export function sha256(content: string | Uint8Array): string {
  // At once: a `Hash` is a stream, and making one costs as much as hashing a small file.
  return hash("sha256", content, "hex");
}

/** The hash of no bytes. It needs no row in the store. */
export const EMPTY_HASH: string = sha256("");
