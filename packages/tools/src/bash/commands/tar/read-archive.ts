import { Gunzip } from "fflate";
import { createTarDecoder, type TarHeader } from "modern-tar";

/** A shell in an object of 128 MB; also what an archive may unpack to. */
export const MAX_ARCHIVE_BYTES: number = 32 * 1024 * 1024;

/** So little that what comes of it, up to a thousand times as much, fits into memory. */
const PACKED_CHUNK = 4096;
const BLOCK = 512;
const MAX_NAME = 1024;

export interface TarMember {
  readonly header: TarHeader;
  readonly data: Uint8Array;
}

/** An archive could not be read on; the message is tar's. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** The members one by one. Throws an `ArchiveError` after those that could be read. */
export async function* readArchive(bytes: Uint8Array, signal: AbortSignal): AsyncGenerator<TarMember> {
  const plain = isGzip(bytes) ? gunzip(bytes) : [bytes].values();
  if (bytes.length < BLOCK && !isGzip(bytes)) throw new ArchiveError("This does not look like a tar archive");
  const reader = streamOf(ofKnownTypes(plain), signal)
    .pipeThrough(createTarDecoder({ strict: true }))
    .getReader();
  reader.closed.catch(() => {});
  let count = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      count++;
      if (value.header.name.length > MAX_NAME) throw new ArchiveError("A name in the archive is too long");
      yield { header: value.header, data: new Uint8Array(await new Response(value.body).arrayBuffer()) };
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError(count === 0 ? "This does not look like a tar archive" : "Unexpected EOF in archive");
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function streamOf(chunks: Iterator<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // Lets a timer or an abort come through.
        await new Promise((resolve) => setTimeout(resolve, 0));
        signal.throwIfAborted();
        const { done, value } = chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * Passes a tar on while it looks at the headers: what the decoder does not know, such as GNU's sparse files, it would take
 * for a file and give other content than was packed.
 */
function* ofKnownTypes(chunks: Iterator<Uint8Array>): Generator<Uint8Array, undefined> {
  const header = new Uint8Array(BLOCK);
  let filled = 0;
  // Bytes to the next header.
  let skip = 0;
  for (let next = chunks.next(); !next.done; next = chunks.next()) {
    for (let at = 0; at < next.value.length;) {
      const passed = Math.min(skip, next.value.length - at);
      skip -= passed;
      at += passed;
      const part = next.value.subarray(at, at + BLOCK - filled);
      header.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < BLOCK) continue;
      filled = 0;
      skip = bodyBytes(header);
    }
    yield next.value;
  }
}

/** With the padding. Only some types have a body, whatever size the others give. */
function bodyBytes(header: Uint8Array): number {
  // What is no header, the decoder refuses.
  if (String.fromCharCode(...header.subarray(257, 262)) !== "ustar") return 0;
  const letter = String.fromCharCode(header[156] ?? 0);
  if (!"\u000001234567xgLK".includes(letter)) throw new ArchiveError(`Members of type '${letter}' are not read here`);
  const digits = String.fromCharCode(...header.subarray(124, 136)).replace(/[\0 ]+$/, "");
  const size = Number.parseInt(digits, 8) || 0;
  return "\u000007xgLK".includes(letter) ? Math.ceil(size / BLOCK) * BLOCK : 0;
}

function* gunzip(bytes: Uint8Array): Generator<Uint8Array, undefined> {
  let parts: Uint8Array[] = [];
  let isEnded = false;
  let total = 0;
  const inflater = new Gunzip((part, isFinal) => {
    parts.push(part);
    isEnded = isFinal;
  });
  for (let at = 0; at < bytes.length; at += PACKED_CHUNK) {
    try {
      inflater.push(bytes.subarray(at, at + PACKED_CHUNK), at + PACKED_CHUNK >= bytes.length);
    } catch {
      throw new ArchiveError("gzip: stdin: invalid compressed data--format violated");
    }
    for (const part of parts) {
      total += part.length;
      if (total > MAX_ARCHIVE_BYTES)
        throw new ArchiveError(`The archive unpacks to more than ${MAX_ARCHIVE_BYTES} bytes, the limit of this shell`);
      if (part.length > 0) yield part;
    }
    parts = [];
  }
  if (!isEnded) throw new ArchiveError("gzip: stdin: unexpected end of file");
}
