import type { ArchiveEntry } from "./archive-entry.ts";

/** A file's entry. */
export function file(path: string, content: string | Uint8Array, mode: number = 0o644): ArchiveEntry {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return { path, kind: "file", mode, size: bytes.length, content: bytes };
}

/** A link's entry. */
export function link(path: string, target: string): ArchiveEntry {
  return { path, kind: "symlink", mode: 0o777, target };
}

/** A directory's entry. */
export function directory(path: string, mode: number = 0o755): ArchiveEntry {
  return { path, kind: "directory", mode };
}

/** Bytes as a stream, in chunks of a size. */
export function streamOf(bytes: Uint8Array, chunk: number = 64 * 1024): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + chunk));
      at += chunk;
    },
  });
}

export async function bytesOfStream(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
