import { TenrecError } from "@tenrec/protocol";
import type { ArchiveEntry } from "./archive-entry.ts";
import { type ArchiveLimits, createMeter } from "./archive-limits.ts";
import { chunksOf } from "./archive-stream.ts";
import { gunzip } from "./tar-gz.ts";
import { isTarBlock } from "./tar-types.ts";
import { readTar } from "./tar.ts";
import { unpackZip } from "./unpack-zip.ts";
import { bytesSource, type ZipSource } from "./zip-source.ts";

export interface UnpackOptions extends ArchiveLimits {
  /** Bytes of a zip archive that is held in memory; default 64 MiB. More is `EFBIG`. */
  readonly maxHeldBytes?: number;
  /** Puts a zip archive where its parts can be read, instead of into memory. Called at most once. */
  readonly hold?: (chunks: AsyncIterable<Uint8Array>) => Promise<ZipSource>;
}

const BLOCK = 512;

const FOREIGN: readonly (readonly [name: string, magic: readonly number[]])[] = [
  ["bzip2", [0x42, 0x5a, 0x68]],
  ["xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ["zstd", [0x28, 0xb5, 0x2f, 0xfd]],
  ["7z", [0x37, 0x7a, 0xbc, 0xaf]],
  ["rar", [0x52, 0x61, 0x72, 0x21]],
];

/**
 * The entries of an archive whose format its first bytes tell: tar, tar compressed with gzip, or zip. `EINVAL` for what is
 * none of them, `unsupported` for another known format. Tar streams; zip has its list at the end and is held first.
 */
export async function* unpackArchive(
  stream: ReadableStream<Uint8Array>,
  options: UnpackOptions = {},
): AsyncGenerator<ArchiveEntry> {
  const chunks = chunksOf(stream);
  try {
    yield* unpackChunks(chunks, options);
  } finally {
    await chunks.return();
  }
}

async function* unpackChunks(chunks: AsyncIterator<Uint8Array>, options: UnpackOptions): AsyncGenerator<ArchiveEntry> {
  const { start, whole } = await peek(chunks);
  const meter = createMeter(options);
  switch (formatOf(start)) {
    case "zip": {
      const { hold = (held) => holdInMemory(held, options.maxHeldBytes ?? 64 * 1024 * 1024) } = options;
      yield* unpackZip(await hold(whole), options);
      return;
    }
    case "gzip": {
      const inner = await peek(gunzip(whole, meter));
      if (formatOf(inner.start) !== "tar") throw noArchive("what is in the gzip stream is no tar archive");
      yield* readTar(inner.whole, meter);
      return;
    }
    case "tar":
      yield* readTar(whole, meter);
  }
}

interface Peeked {
  /** The first block, or all when it is shorter. */
  readonly start: Uint8Array;
  /** Everything, the start included. */
  readonly whole: AsyncIterable<Uint8Array>;
}

async function peek(chunks: AsyncIterator<Uint8Array>): Promise<Peeked> {
  let start = new Uint8Array(0);
  while (start.length < BLOCK) {
    const { done, value } = await chunks.next();
    if (done) break;
    const longer = new Uint8Array(start.length + value.length);
    longer.set(start);
    longer.set(value, start.length);
    start = longer;
  }
  const whole = async function* (): AsyncGenerator<Uint8Array> {
    if (start.length > 0) yield start;
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  return { start, whole: whole() };
}

function formatOf(start: Uint8Array): "tar" | "gzip" | "zip" {
  const begins = (...magic: number[]): boolean => magic.every((byte, index) => start[index] === byte);
  if (begins(0x1f, 0x8b)) return "gzip";
  if (begins(0x50, 0x4b, 3, 4) || begins(0x50, 0x4b, 5, 6)) return "zip";
  if (start.length >= BLOCK && isTarBlock(start.subarray(0, BLOCK))) return "tar";
  const foreign = FOREIGN.find(([, magic]) => begins(...magic));
  if (foreign) throw new TenrecError("unsupported", { what: `${foreign[0]} archives`, by: "the import" });
  throw noArchive("it is no tar, tar.gz or zip archive");
}

async function holdInMemory(chunks: AsyncIterable<Uint8Array>, limit: number): Promise<ZipSource> {
  const held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > limit) throw new TenrecError("EFBIG", { path: "/", size, limit });
    held.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of held.splice(0)) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytesSource(bytes);
}

function noArchive(reason: string): TenrecError<"EINVAL"> {
  return new TenrecError("EINVAL", { path: "/", reason });
}
