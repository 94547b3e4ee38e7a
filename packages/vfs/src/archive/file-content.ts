import { TenrecError } from "@tenrec/protocol";
import type { FileContent, FileEntry } from "./archive-entry.ts";

const PIECE_BYTES = 256 * 1024;

/** A file's bytes in pieces. `EIO` when they are not as many as the entry says; never more of them are passed on. */
export async function* piecesOf({ path, size, content }: FileEntry): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const piece of content instanceof Uint8Array ? slices(content) : content) {
    length += piece.length;
    if (length > size) throw new TenrecError("EIO", { path, reason: `it has more than its ${size} bytes` });
    yield piece;
  }
  if (length < size) throw new TenrecError("EIO", { path, reason: `it ends after ${length} of ${size} bytes` });
}

/** The same as one array, which grows with what arrives: a header may claim more than there is. */
export async function bytesOf(entry: FileEntry): Promise<Uint8Array> {
  const { content, size } = entry;
  if (content instanceof Uint8Array && content.length === size) return content;
  const pieces: Uint8Array[] = [];
  for await (const piece of piecesOf(entry)) pieces.push(piece);
  const [only] = pieces;
  if (only && pieces.length === 1 && only.buffer.byteLength === only.length) return only;
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** An entry's content from its parts: whole when it is small, so that few callers meet pieces. */
export async function contentOfPieces(
  entry: Omit<FileEntry, "content">,
  pieces: AsyncIterable<Uint8Array>,
  wholeBytes: number,
): Promise<FileContent> {
  return entry.size > wholeBytes ? pieces : bytesOf({ ...entry, content: pieces });
}

function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
