import { createHash } from "node:crypto";
import { inflateSync, type Inflate } from "node:zlib";
import { TenrecError } from "@tenrec/protocol";
import type { GitLimits } from "./git-options.ts";
import { OFS_DELTA, readPackedHeader, REF_DELTA } from "./pack-header.ts";

const HASH_BYTES = 20;
const HEADER_BYTES = 12;
/** Deltas on deltas. Git itself makes at most 50 by default, 250 when it was told to be aggressive. */
const MAX_DEPTH = 1000;

interface Walk {
  readonly pack: Buffer;
  readonly limits: GitLimits;
  /** Depth of the delta at an offset; objects that are none are left out. */
  readonly depths: Map<number, number>;
  unpacked: number;
}

/**
 * Goes over a pack before anything is made of it: its checksum, each object's size against what the object is said to
 * have, and what deltas would grow to. `git-too-large` for what would take more memory than `limits` allow,
 * `git-refused` for what is not a whole pack. `pause` is awaited with the bytes of each object. The number of objects. Format: gitformat-pack of git's documentation.
 */
export async function checkPack(
  bytes: Uint8Array,
  limits: GitLimits,
  pause: (bytes: number) => Promise<void>,
): Promise<number> {
  const pack = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (pack.length < HEADER_BYTES + HASH_BYTES || pack.toString("latin1", 0, 4) !== "PACK") refuse("it has no header");
  if (pack.length > limits.maxPackBytes) tooLarge("the pack", pack.length, limits.maxPackBytes);
  const end = pack.length - HASH_BYTES;
  const hash = createHash("sha1").update(pack.subarray(0, end)).digest();
  if (!hash.equals(pack.subarray(end))) refuse("its checksum is wrong");
  const count = pack.readUInt32BE(8);
  if (count > limits.maxEntries) {
    throw new TenrecError("git-too-large", { what: "the number of objects", size: count, limit: limits.maxEntries });
  }
  const walk: Walk = { pack: pack.subarray(0, end), limits, depths: new Map(), unpacked: 0 };
  let at = HEADER_BYTES;
  for (let index = 0; index < count; index++) {
    const before = walk.unpacked;
    at = checkObject(walk, at);
    await pause(walk.unpacked - before);
  }
  if (at !== end) refuse("it has more bytes than objects");
  return count;
}

/** `git-refused` when the index that was made of a pack has fewer objects: those are deltas that stand on nothing. */
export function checkPackIndex(bytes: Uint8Array, count: number): void {
  const last = 8 + 255 * 4;
  const found = new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(last);
  if (found !== count) refuse(`${count - found} of its objects cannot be made out`);
}

function checkObject(walk: Walk, start: number): number {
  const { pack, limits, depths } = walk;
  const header = readPackedHeader(pack.subarray(start)) ?? refuse("it ends within an object");
  const { type, distance } = header;
  if (header.size > limits.maxObjectBytes) tooLarge("an object", header.size, limits.maxObjectBytes);
  if (distance !== undefined && distance > start - HEADER_BYTES) refuse("a delta stands on nothing");
  const { data, end } = inflate(pack, start + header.length, header.size);
  let { size } = header;
  if (type === OFS_DELTA || type === REF_DELTA) {
    size = targetSize(data);
    if (size > limits.maxObjectBytes) tooLarge("an object", size, limits.maxObjectBytes);
    const depth = (distance === undefined ? 0 : (depths.get(start - distance) ?? 0)) + 1;
    if (depth > MAX_DEPTH) refuse(`it has more than ${MAX_DEPTH} deltas on each other`);
    depths.set(start, depth);
  } else if (type < 1 || type > 4) refuse(`it has an object of type ${type}`);
  walk.unpacked += size;
  if (walk.unpacked > limits.maxUnpackedBytes) tooLarge("the unpacked pack", walk.unpacked, limits.maxUnpackedBytes);
  return end;
}

function inflate(pack: Buffer, at: number, size: number): { data: Buffer; end: number } {
  try {
    // One byte more than it should be, to see that it is more; zlib takes no limit of 0.
    const result: unknown = inflateSync(pack.subarray(at), { info: true, maxOutputLength: size + 1 });
    const { buffer: data, engine } = result as { buffer: Buffer; engine: Inflate };
    if (data.length === size) return { data, end: at + engine.bytesWritten };
  } catch {
    // Falls through: corrupt, cut off, or longer than it is said to be.
  }
  return refuse("an object is corrupt, or not as long as it is said to be");
}

/** Bytes that a delta makes: the second of the two numbers that it begins with. */
function targetSize(delta: Buffer): number {
  let at = 0;
  let size = 0;
  for (let number = 0; number < 2; number++) {
    let byte = 128;
    size = 0;
    for (let scale = 1; byte & 128; scale *= 128) {
      byte = delta[at++] ?? refuse("a delta is cut off");
      size += (byte & 127) * scale;
    }
  }
  return size;
}

function refuse(reason: string): never {
  throw new TenrecError("git-refused", { what: "the pack", reason });
}

function tooLarge(what: string, size: number, limit: number): never {
  throw new TenrecError("git-too-large", { what, size, limit });
}
