import { createHash } from "node:crypto";

/** SHA-256 in lower-case hex; text is hashed as UTF-8. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** The hash of no bytes. It needs no row in the store. */
export const EMPTY_HASH: string = sha256("");
