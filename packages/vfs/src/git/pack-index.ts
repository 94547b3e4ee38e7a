import { TenrecError } from "@tenrec/protocol";

const FANOUT = 8;
const NAMES = FANOUT + 256 * 4;
const NAME_BYTES = 20;

/** Where the objects of a pack are. */
export interface PackIndex {
  /** Offset of an object; undefined when the pack does not have it. */
  find(oid: string): number | undefined;
  /** Offset of what comes behind the object at an offset. */
  endOf(offset: number): number;
}

/** Reads an index as it lies in memory. Format: gitformat-pack of git's documentation, version 2. `EIO` for anything else. */
export function openPackIndex(bytes: Uint8Array, path: string, packSize: number): PackIndex {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const count = data.length < NAMES ? -1 : data.readUInt32BE(FANOUT + 255 * 4);
  const offsets = NAMES + count * (NAME_BYTES + 4);
  if (count < 0 || data.readUInt32BE(0) !== 0xff744f63 || data.length < offsets + count * 4 + 2 * NAME_BYTES) {
    throw new TenrecError("EIO", { path: `/.git/${path}`, reason: "it is no index of a pack" });
  }
  const sorted = new Uint32Array(count + 1);
  for (let index = 0; index < count; index++) sorted[index] = data.readUInt32BE(offsets + index * 4);
  // Behind the last object is the checksum.
  sorted[count] = packSize - NAME_BYTES;
  sorted.sort();
  return {
    find(oid) {
      const wanted = Buffer.from(oid, "hex");
      const first = wanted[0] ?? 0;
      let low = first === 0 ? 0 : data.readUInt32BE(FANOUT + (first - 1) * 4);
      let high = data.readUInt32BE(FANOUT + first * 4);
      while (low < high) {
        const middle = (low + high) >>> 1;
        const start = NAMES + middle * NAME_BYTES;
        const order = data.compare(wanted, 0, NAME_BYTES, start, start + NAME_BYTES);
        if (order === 0) return data.readUInt32BE(offsets + middle * 4);
        if (order < 0) low = middle + 1;
        else high = middle;
      }
      return undefined;
    },
    endOf(offset) {
      let low = 0;
      let high = count;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((sorted[middle] ?? 0) <= offset) low = middle + 1;
        else high = middle;
      }
      return sorted[low] ?? packSize;
    },
  };
}
