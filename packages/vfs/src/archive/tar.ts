import { TenrecError } from "@tenrec/protocol";
import { createTarDecoder, createTarPacker, type ParsedTarEntry, type TarHeader } from "modern-tar";
import { type ArchiveEntry, type ArchiveLimits, type ArchiveMeter, createMeter } from "./archive-entry.ts";
import { archiveTreePath } from "./archive-path.ts";

const PIECE_BYTES = 256 * 1024;

type Entries = AsyncIterable<ArchiveEntry> | Iterable<ArchiveEntry>;

/** A tar stream of these entries, made as it is read. What `entries` throws errors the stream; a cancel ends `entries`. */
export function packTar(entries: Entries): ReadableStream<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const pack = async (): Promise<void> => {
    for await (const entry of entries) {
      const writer = controller.add(headerOf(entry)).getWriter();
      if (entry.kind === "file") {
        for (let at = 0; at < entry.bytes.length; at += PIECE_BYTES) {
          await writer.write(entry.bytes.subarray(at, at + PIECE_BYTES));
        }
      }
      await writer.close();
    }
    controller.finalize();
  };
  // The failure reaches the reader of the stream; after a cancel there is nobody to tell.
  pack().catch((error: unknown) => controller.error(error));
  return readable;
}

function headerOf(entry: ArchiveEntry): TarHeader {
  const name = entry.path.slice(1);
  // The time is constant, so that the same tree is the same archive.
  const common = { mode: entry.mode, mtime: new Date(0) };
  switch (entry.kind) {
    case "file":
      return { ...common, name, type: "file", size: entry.bytes.length };
    case "symlink":
      return { ...common, name, type: "symlink", size: 0, linkname: entry.target };
    case "directory":
      return { ...common, name: `${name}/`, type: "directory", size: 0 };
  }
}

/**
 * The entries of a tar stream, each read when it is asked for. Refused with a typed error: paths that leave the archive or
 * name `.git`, device files, fifos and hard links, what exceeds the limits, and a stream that is damaged or cut off. A
 * consumer that stops early cancels the stream.
 */
export async function* unpackTar(
  stream: ReadableStream<Uint8Array>,
  limits: ArchiveLimits = {},
): AsyncGenerator<ArchiveEntry> {
  const meter = createMeter(limits);
  const reader = stream.pipeThrough(createTarDecoder({ strict: true })).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(damaged);
      if (done) return;
      const entry = await readEntry(value, meter);
      if (entry) yield entry;
    }
  } finally {
    // Fails when the stream did, which has been told.
    await reader.cancel().catch(() => {});
  }
}

async function readEntry({ header, body }: ParsedTarEntry, meter: ArchiveMeter): Promise<ArchiveEntry | undefined> {
  const path = archiveTreePath(header.name);
  const mode = (header.mode ?? 0) & 0o777;
  meter.add(path, header.type === "file" ? header.size : 0);
  switch (header.type) {
    case "file":
      return { path, kind: "file", mode, bytes: await readBody(body, header.size, path) };
    case "directory":
      await body.cancel();
      return path === "/" ? undefined : { path, kind: "directory", mode };
    case "symlink":
      await body.cancel();
      return { path, kind: "symlink", mode, target: header.linkname ?? "" };
    default:
      throw new TenrecError("EACCES", { path, reason: `an archive entry of type ${header.type ?? "unknown"}` });
  }
}

// Grows with what arrives: a header may claim more than there is.
async function readBody(body: ReadableStream<Uint8Array>, size: number, path: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(damaged);
    if (done) break;
    pieces.push(value);
    length += value.length;
  }
  if (length !== size) throw new TenrecError("EIO", { path, reason: "the archive ends before the file does" });
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function damaged(error: unknown): never {
  if (error instanceof TenrecError) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  throw new TenrecError("EIO", { path: "/", reason: `the archive cannot be read: ${reason}` }, { cause: error });
}
