import { pipeline, Readable, type Transform } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";
import type { ArchiveEntry, Entries } from "./archive-entry.ts";
import { type ArchiveLimits, type ArchiveMeter, createMeter } from "./archive-limits.ts";
import { chunksOf, damaged, streamFrom } from "./archive-stream.ts";
import { packTar, readTar } from "./tar.ts";

/** As `packTar`, compressed with gzip. */
export function packTarGz(entries: Entries): ReadableStream<Uint8Array> {
  return streamFrom(through(createGzip(), chunksOf(packTar(entries))));
}

/** As `unpackTar`, for a tar that is compressed with gzip. Counts the ratio as it unpacks. */
export async function* unpackTarGz(
  stream: ReadableStream<Uint8Array>,
  limits: ArchiveLimits = {},
): AsyncGenerator<ArchiveEntry> {
  const chunks = chunksOf(stream);
  const meter = createMeter(limits);
  try {
    yield* readTar(gunzip(chunks, meter), meter);
  } finally {
    await chunks.return();
  }
}

/** What a gzip stream unpacks to, within the meter's ratio. What is damaged or cut off is `EIO`. */
export async function* gunzip(chunks: AsyncIterable<Uint8Array>, meter: ArchiveMeter): AsyncGenerator<Uint8Array> {
  let packed = 0;
  let plain = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      packed += chunk.length;
      yield chunk;
    }
  }
  try {
    for await (const chunk of through(createGunzip(), counted())) {
      plain += chunk.length;
      meter.unpacked(plain, packed);
      yield chunk;
    }
  } catch (error) {
    damaged(error);
  }
}

// A `CompressionStream` of workerd takes in all that it is given and keeps what comes out; this one waits for its reader.
async function* through(transform: Transform, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  // The error reaches whoever reads the transform.
  pipeline(Readable.from(chunks), transform, () => {});
  for await (const chunk of transform as AsyncIterable<Uint8Array>) yield chunk;
}
