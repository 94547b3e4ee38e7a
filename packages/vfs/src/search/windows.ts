import { Buffer } from "node:buffer";

const LF = 10;

/** A line is searched this far; what is behind it up to its end is not. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;

/** What went by while a content was cut into windows. */
export interface WindowNotes {
  /** Lines of which only the first `MAX_LINE_BYTES` were given. */
  longLines: number;
}

/** A content as text in UTF-8: without a mark at its start, and out of UTF-16 when it has the mark of that. */
export function toUtf8(bytes: Uint8Array): Buffer {
  const encoding = encodingOf(bytes);
  if (encoding === undefined) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (encoding === "utf-8") return Buffer.from(bytes.buffer, bytes.byteOffset + 3, bytes.byteLength - 3);
  return Buffer.from(new TextDecoder(encoding).decode(bytes));
}

function encodingOf(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" | undefined {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xef && second === 0xbb && third === 0xbf ? "utf-8" : undefined;
}

/** Pieces of a content as `toUtf8` would give the whole. */
export async function* utf8Pieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | undefined;
  let isFirst = true;
  for await (const piece of pieces) {
    const encoding = isFirst ? encodingOf(piece) : undefined;
    if (encoding !== undefined && encoding !== "utf-8") decoder = new TextDecoder(encoding);
    if (decoder) yield Buffer.from(decoder.decode(piece, { stream: true }));
    else yield isFirst ? toUtf8(piece) : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    isFirst = false;
  }
  if (decoder) yield Buffer.from(decoder.decode());
}

/** Pieces of a content as windows of whole lines, of a piece's size and at most `MAX_LINE_BYTES` more. */
export async function* lineWindows(pieces: AsyncIterable<Buffer>, notes: WindowNotes): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  let length = 0;
  // In a line of which enough was given.
  let skipping = false;
  for await (let piece of pieces) {
    if (skipping) {
      const end = piece.indexOf(LF);
      if (end === -1) continue;
      skipping = false;
      piece = piece.subarray(end + 1);
    }
    const last = piece.lastIndexOf(LF);
    if (last !== -1) {
      yield Buffer.concat([...rest, piece.subarray(0, last + 1)]);
      rest = [];
      length = 0;
    }
    rest.push(piece.subarray(last + 1));
    length += piece.length - last - 1;
    if (length < MAX_LINE_BYTES) continue;
    notes.longLines++;
    yield Buffer.concat([...rest, Buffer.of(LF)]);
    rest = [];
    length = 0;
    skipping = true;
  }
  if (length > 0) yield Buffer.concat(rest);
}
