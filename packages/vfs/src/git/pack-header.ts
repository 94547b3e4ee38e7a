/** Types of objects in a pack that stand on another one. */
export const OFS_DELTA = 6;
export const REF_DELTA = 7;
const HASH_BYTES = 20;

export interface PackedHeader {
  /** 1 commit, 2 tree, 3 blob, 4 tag, or a delta. */
  readonly type: number;
  /** Bytes when it is inflated. */
  readonly size: number;
  /** Where the compressed bytes begin, counted from the object. */
  readonly length: number;
  /** How far back the object is that it stands on. */
  readonly distance?: number;
  /** Or what that is called. */
  readonly base?: string;
}

/** What is said about a packed object ahead of its bytes; undefined when it is cut off or impossible. */
export function readPackedHeader(bytes: Buffer): PackedHeader | undefined {
  let at = 0;
  let byte = bytes[at++] ?? 0;
  const type = (byte >> 4) & 7;
  let size = byte & 15;
  // Multiplied, since a shift would cut a size to 32 bits.
  for (let scale = 16; byte & 128; scale *= 128) {
    byte = bytes[at++] ?? 0;
    size += (byte & 127) * scale;
  }
  if (!Number.isSafeInteger(size) || at >= bytes.length) return undefined;
  if (type === REF_DELTA)
    return { type, size, length: at + HASH_BYTES, base: bytes.toString("hex", at, at + HASH_BYTES) };
  if (type !== OFS_DELTA) return { type, size, length: at };
  byte = bytes[at++] ?? 0;
  let distance = byte & 127;
  while (byte & 128 && Number.isSafeInteger(distance)) {
    byte = bytes[at++] ?? 0;
    distance = (distance + 1) * 128 + (byte & 127);
  }
  return at < bytes.length && distance > 0 ? { type, size, length: at, distance } : undefined;
}
