/** Bytes of a content by the hash of the line that they are in. */
export type LineSpans = ReadonlyMap<number, number>;

/** Longer lines count as several, so that binary content has parts too. */
const MAX_SPAN = 64;
const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** What two contents are compared by, as git does: lines, wherever they are, and the ends of lines do not matter. */
export function lineSpans(bytes: Uint8Array): LineSpans {
  const spans = new Map<number, number>();
  let hash = FNV_START;
  let length = 0;
  const end = (): void => {
    if (length > 0) spans.set(hash, (spans.get(hash) ?? 0) + length);
    hash = FNV_START;
    length = 0;
  };
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === CARRIAGE_RETURN && bytes[at + 1] === NEWLINE) continue;
    hash = Math.imul(hash ^ byte, FNV_PRIME);
    length++;
    if (byte === NEWLINE || length === MAX_SPAN) end();
  }
  end();
  return spans;
}

// Fowler, Noll and Vo's hash of 32 bits.
const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** How much of two contents is the same, from 0 to 1: bytes of lines that both have, of the larger one's size. */
export function similarity(a: LineSpans, b: LineSpans, largerSize: number): number {
  if (largerSize === 0) return 0;
  let shared = 0;
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  for (const [hash, bytes] of few) shared += Math.min(bytes, many.get(hash) ?? 0);
  return shared / largerSize;
}
