import { crc32 } from "node:zlib";
import { deflateSync } from "fflate";

/** An entry as another program might write it; what is given replaces what would be right. */
export interface RawEntry {
  readonly name: string | Uint8Array;
  readonly content?: string | Uint8Array;
  readonly method?: number;
  readonly flags?: number;
  readonly host?: number;
  /** Unix mode with its type; goes into the attributes. */
  readonly mode?: number;
  readonly attributes?: number;
  readonly crc?: number;
  readonly size?: number;
  readonly packed?: number;
  readonly offset?: number;
  readonly extra?: Uint8Array;
  /** The name of its own header. */
  readonly localName?: string;
  /** The content as it is in the archive. */
  readonly raw?: Uint8Array;
  /** In the list only. */
  readonly isListedOnly?: boolean;
}

export interface RawEnd {
  readonly comment?: string;
  readonly count?: number;
  readonly before?: Uint8Array;
  readonly disk?: number;
  /** The larger form of the end, with every number moved there. */
  readonly isLarge?: boolean;
}

const encoder = new TextEncoder();
const bytes = (text: string | Uint8Array): Uint8Array => (typeof text === "string" ? encoder.encode(text) : text);

/** Little-endian numbers, each with its count of bytes. */
export function fields(...pairs: readonly (readonly [size: 1 | 2 | 4 | 8, value: number])[]): Uint8Array {
  const out = new Uint8Array(pairs.reduce((sum, [size]) => sum + size, 0));
  const view = new DataView(out.buffer);
  let at = 0;
  for (const [size, value] of pairs) {
    if (size === 8) view.setBigUint64(at, BigInt(value), true);
    else if (size === 4) view.setUint32(at, value, true);
    else if (size === 2) view.setUint16(at, value, true);
    else view.setUint8(at, value);
    at += size;
  }
  return out;
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** A zip archive by the letter of its format. */
export function rawZip(entries: readonly RawEntry[], end: RawEnd = {}): Uint8Array {
  const { comment = "", before = new Uint8Array(0), isLarge = false, disk = 0 } = end;
  const local: Uint8Array[] = [before];
  const central: Uint8Array[] = [];
  let at = before.length;
  for (const entry of entries) {
    const made = rawEntry(entry, at);
    central.push(made.central);
    if (entry.isListedOnly) continue;
    local.push(made.local);
    at += made.local.length;
  }
  const list = concat(...central);
  const count = end.count ?? entries.length;
  const large = isLarge
    ? concat(
        fields([4, 0x06064b50], [8, 44], [2, 45], [2, 45], [4, disk], [4, disk], [8, count], [8, count]),
        fields([8, list.length], [8, at]),
        fields([4, 0x07064b50], [4, 0], [8, at + list.length], [4, 1]),
      )
    : new Uint8Array(0);
  const small = isLarge
    ? fields([4, 0x06054b50], [2, 0], [2, 0], [2, 0xffff], [2, 0xffff], [4, 0xffffffff], [4, 0xffffffff])
    : fields([4, 0x06054b50], [2, disk], [2, disk], [2, count], [2, count], [4, list.length], [4, at]);
  const note = bytes(comment);
  return concat(...local, list, large, small, fields([2, note.length]), note);
}

function rawEntry(entry: RawEntry, at: number): { local: Uint8Array; central: Uint8Array } {
  const { flags = 0x800, host = 3, method = 8, mode = 0o100644, extra = new Uint8Array(0) } = entry;
  const content = bytes(entry.content ?? "");
  const name = bytes(entry.name);
  const localName = bytes(entry.localName ?? entry.name);
  const raw = entry.raw ?? (method === 8 ? deflateSync(content) : content);
  const attributes = entry.attributes ?? mode * 0x10000;
  const sizes = [
    [4, entry.crc ?? crc32(content)],
    [4, entry.packed ?? raw.length],
    [4, entry.size ?? content.length],
  ] as const;
  const kind = [[2, flags], [2, method], [2, 0], [2, 0x21], ...sizes] as const;
  return {
    local: concat(fields([4, 0x04034b50], [2, 20], ...kind, [2, localName.length], [2, 0]), localName, raw),
    central: concat(
      fields([4, 0x02014b50], [1, 20], [1, host], [2, 20], ...kind, [2, name.length], [2, extra.length], [2, 0]),
      fields([2, 0], [2, 0], [4, attributes >>> 0], [4, entry.offset ?? at]),
      name,
      extra,
    ),
  };
}
