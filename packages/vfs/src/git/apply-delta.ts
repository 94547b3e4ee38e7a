import { TenrecError } from "@tenrec/protocol";

/**
 * What a delta makes of its base. Format: gitformat-pack of git's documentation. `EIO` when the two do not fit together.
 */
export function applyDelta(delta: Uint8Array, base: Uint8Array): Uint8Array {
  let at = 0;
  const next = (): number => delta[at++] ?? broken();
  const number = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = next();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  if (number() !== base.length) broken();
  const result = new Uint8Array(number());
  let end = 0;
  while (at < delta.length) {
    const op = next();
    if (op & 128) {
      const [offset, length] = copyArguments(op, next);
      if (offset + length > base.length || end + length > result.length) broken();
      result.set(base.subarray(offset, offset + length), end);
      end += length;
    } else {
      if (op === 0 || at + op > delta.length || end + op > result.length) broken();
      result.set(delta.subarray(at, at + op), end);
      at += op;
      end += op;
    }
  }
  if (end !== result.length) broken();
  return result;
}

/** Each of the lower seven bits says whether a byte of the offset or the length is there. */
function copyArguments(op: number, next: () => number): [offset: number, length: number] {
  let offset = 0;
  let length = 0;
  for (let bit = 0; bit < 4; bit++) if (op & (1 << bit)) offset += next() * 256 ** bit;
  for (let bit = 0; bit < 3; bit++) if (op & (16 << bit)) length += next() * 256 ** bit;
  return [offset, length === 0 ? 0x10000 : length];
}

function broken(): never {
  throw new TenrecError("EIO", { path: "/.git/objects/pack", reason: "a delta does not fit what it stands on" });
}
