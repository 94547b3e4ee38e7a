import { TenrecError } from "@tenrec/protocol";

const BLOCK = 512;
/** Of POSIX and GNU; a NUL and a 7 are files too. What the decoder does not know, it takes for a file. */
const KNOWN = "\u000001234567xgLK";

/**
 * Passes a tar on while it looks at the headers, for what the decoder does not tell: types that are none of POSIX's
 * (`EACCES`), such as GNU's sparse files, and names that are not UTF-8 (`EINVAL`), which it would make into one.
 */
export async function* checkTarTypes(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const header = new Uint8Array(BLOCK);
  let filled = 0;
  // Bytes to the next header.
  let skip = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) {
      const passed = Math.min(skip, chunk.length - at);
      skip -= passed;
      at += passed;
      const part = chunk.subarray(at, at + BLOCK - filled);
      header.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < BLOCK) break;
      filled = 0;
      skip = checkHeader(header);
    }
    yield chunk;
  }
}

/** True for a header whose checksum is right, and for the zeros at an archive's end. */
export function isTarBlock(block: Uint8Array): boolean {
  if (block.every((byte) => byte === 0)) return true;
  const digits = String.fromCharCode(...block.subarray(148, 156)).replaceAll(/[\0 ]/g, "");
  const sum = block.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte), 0);
  return Number.parseInt(digits, 8) === sum;
}

/** Bytes of the body with its padding. What is no header, the decoder refuses: nothing behind it is looked at. */
function checkHeader(header: Uint8Array): number {
  if (header[0] === 0 && header.every((byte) => byte === 0)) return 0;
  if (!isTarBlock(header)) return Number.POSITIVE_INFINITY;
  const type = String.fromCharCode(header[156] ?? 0);
  const path = nameIn(header, 0, 100);
  if (!KNOWN.includes(type)) throw new TenrecError("EACCES", { path, reason: `an archive entry of type ${type}` });
  nameIn(header, 157, 100);
  nameIn(header, 345, isPosix(header) ? 155 : 0);
  // Only these have a body; a link may give a size without one.
  return "\u000007xgLK".includes(type) ? Math.ceil(sizeIn(header) / BLOCK) * BLOCK : 0;
}

function isPosix(header: Uint8Array): boolean {
  return header[262] === 0;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function nameIn(header: Uint8Array, from: number, length: number): string {
  const field = header.subarray(from, from + length);
  const end = field.indexOf(0);
  const bytes = end === -1 ? field : field.subarray(0, end);
  try {
    return decoder.decode(bytes);
  } catch {
    const path = new TextDecoder().decode(bytes);
    throw new TenrecError("EINVAL", { path, reason: "its name is not UTF-8" });
  }
}

/** In octal, or as a big-endian number with the first bit set. What is neither, the decoder refuses. */
function sizeIn(header: Uint8Array): number {
  const field = header.subarray(124, 136);
  const [first = 0] = field;
  if (first < 0x80) return Number.parseInt(String.fromCharCode(...field).replace(/[\0 ].*$/s, ""), 8) || 0;
  return field.subarray(1).reduce((sum, byte) => sum * 256 + byte, first & 0x7f);
}
