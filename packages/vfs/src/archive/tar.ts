import { TenrecError } from "@tenrec/protocol";
import { createTarDecoder, createTarPacker, type TarHeader } from "modern-tar";
import { type ArchiveEntry, type Entries, type FileEntry, WHOLE_BYTES } from "./archive-entry.ts";
import { type ArchiveLimits, type ArchiveMeter, createMeter } from "./archive-limits.ts";
import { archiveTreePath, entryName } from "./archive-path.ts";
import { type Chunks, chunksOf, damaged } from "./archive-stream.ts";
import { contentOfPieces, piecesOf } from "./file-content.ts";
import { checkTarTypes } from "./tar-types.ts";

/** A tar stream of these entries, made as it is read. What `entries` throws errors the stream; a cancel ends `entries`. */
export function packTar(entries: Entries): ReadableStream<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const pack = async (): Promise<void> => {
    for await (const entry of entries) {
      const writer = controller.add(headerOf(entry)).getWriter();
      if (entry.kind === "file") for await (const piece of piecesOf(entry)) await writer.write(piece);
      await writer.close();
    }
    controller.finalize();
  };
  // The failure reaches the reader of the stream; after a cancel there is nobody to tell.
  pack().catch((error: unknown) => controller.error(error));
  return readable;
}

function headerOf(entry: ArchiveEntry): TarHeader {
  const name = entryName(entry);
  // The time is constant, so that the same tree is the same archive.
  const common = { mode: entry.mode, mtime: new Date(0) };
  switch (entry.kind) {
    case "file":
      return { ...common, name, type: "file", size: entry.size };
    case "symlink":
      return { ...common, name, type: "symlink", size: 0, linkname: entry.target };
    case "directory":
      return { ...common, name, type: "directory", size: 0 };
  }
}

/**
 * The entries of a tar stream, each read when it is asked for. Refused with a typed error: paths that leave the archive or
 * name `.git`, device files, fifos, hard links and sparse files, what exceeds the limits, and a stream that is damaged or
 * cut off. A consumer that stops early cancels the stream.
 */
export async function* unpackTar(
  stream: ReadableStream<Uint8Array>,
  limits: ArchiveLimits = {},
): AsyncGenerator<ArchiveEntry> {
  const chunks = chunksOf(stream);
  try {
    yield* readTar(chunks, createMeter(limits));
  } finally {
    await chunks.return();
  }
}

/** The same for what has a meter already. Who stops early must end `chunks` too. */
export async function* readTar(chunks: AsyncIterable<Uint8Array>, meter: ArchiveMeter): AsyncGenerator<ArchiveEntry> {
  const decoder = createTarDecoder({ strict: true });
  const writer = decoder.writable.getWriter();
  const reader = decoder.readable.getReader();
  for (const end of [writer, reader]) end.closed.catch(() => {});
  const feed = async (): Promise<void> => {
    for await (const chunk of checkTarTypes(chunks)) await writer.write(chunk);
    await writer.close();
  };
  // The failure reaches the decoder's other side, where it is told.
  feed().catch((error: unknown) => writer.abort(error).catch(() => {}));
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(damaged);
      if (done) return;
      const body = chunksOf(value.body);
      const entry = await readEntry(value.header, body, meter);
      if (entry) yield entry;
      // What is left unread stands in the way of the next entry.
      await body.return();
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function readEntry(header: TarHeader, body: Chunks, meter: ArchiveMeter): Promise<ArchiveEntry | undefined> {
  const path = archiveTreePath(header.name);
  const mode = (header.mode ?? 0) & 0o777;
  checkPax(path, header);
  meter.add(path, header.type === "file" ? header.size : 0);
  switch (header.type) {
    case "file": {
      const file: Omit<FileEntry, "content"> = { path, kind: "file", mode, size: header.size };
      return { ...file, content: await contentOfPieces(file, body, WHOLE_BYTES) };
    }
    case "directory":
      return path === "/" ? undefined : { path, kind: "directory", mode };
    case "symlink":
      return { path, kind: "symlink", mode, target: header.linkname ?? "" };
    default:
      throw new TenrecError("EACCES", { path, reason: `an archive entry of type ${header.type ?? "unknown"}` });
  }
}

// A size of its own is for files above 8 GiB, or for sparse ones.
function checkPax(path: string, { pax = {} }: TarHeader): void {
  const sparse = Object.keys(pax).find((key) => key.startsWith("GNU.sparse."));
  if (sparse !== undefined) throw new TenrecError("EACCES", { path, reason: "a sparse file in an archive" });
  if (pax["size"] !== undefined) throw new TenrecError("EACCES", { path, reason: "a size apart from its header" });
}
