import { TenrecError } from "@tenrec/protocol";
import { createTarDecoder, type TarHeader } from "modern-tar";
import { isWanted } from "./wanted-files.ts";

/** What a package may unpack to. */
const MAX_ENTRIES = 50_000;
const MAX_BYTES = 512 * 1024 * 1024;
/** Of a path, which a tarball may make megabytes long. */
const MAX_PATH = 4096;
/** Of the files that are kept in memory. */
const MAX_KEPT_BYTES = 40 * 1024 * 1024;

/** The files of a package by their path in it, such as `dist/index.js`. */
export type PackageFiles = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/**
 * The files of a tarball that code can ask for. The first folder is left out of their paths, whatever its name, and links
 * are passed over, both as npm does. Throws `package-damaged` for a path that leads out of the package and for what is no
 * tarball, `package-too-large`, and `signal.reason`.
 */
export async function unpackTarball(
  name: string,
  tarball: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
): Promise<PackageFiles> {
  const decoder = createTarDecoder({ strict: true });
  const plain = new Blob([tarball]).stream().pipeThrough(new DecompressionStream("gzip"));
  const entries = plain.pipeThrough(decoder, { signal }).getReader();
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  const meter = createMeter(name);
  try {
    for (;;) {
      const { done, value } = await entries.read();
      if (done) return files;
      const path = pathIn(name, value.header);
      meter.entry(value.header.size);
      const isKept = value.header.type === "file" && isWanted(path);
      if (isKept) meter.kept(value.header.size);
      const bytes = await read(value.body, isKept ? value.header.size : 0);
      if (isKept) files.set(path, bytes);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TenrecError) throw error;
    const reason = `its tarball cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    throw new TenrecError("package-damaged", { package: name, reason }, { cause: error });
  } finally {
    await entries.cancel().catch(() => {});
  }
}

/** The first bytes of a stream. All of it is read: the decoder stands still behind an entry that was cancelled. */
async function read(stream: ReadableStream<Uint8Array>, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size);
  const reader = stream.getReader();
  for (let at = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return bytes;
    if (at < size) bytes.set(value, at);
    at += value.length;
  }
}

/** Counts before anything is read. */
function createMeter(name: string): { entry(size: number): void; kept(size: number): void } {
  let entries = 0;
  let bytes = 0;
  let kept = 0;
  const tooLarge = (limit: number): TenrecError => new TenrecError("package-too-large", { package: name, limit });
  return {
    entry(size) {
      bytes += size;
      if (++entries > MAX_ENTRIES || bytes > MAX_BYTES) throw tooLarge(MAX_BYTES);
    },
    kept(size) {
      kept += size;
      if (kept > MAX_KEPT_BYTES) throw tooLarge(MAX_KEPT_BYTES);
    },
  };
}

function pathIn(name: string, { name: path }: TarHeader): string {
  if (path.length > MAX_PATH) {
    const reason = `it has a path of ${path.length} characters, which begins with ${path.slice(0, 100)}`;
    throw new TenrecError("package-damaged", { package: name, reason });
  }
  const names = path.split("/").filter((part) => part !== "" && part !== ".");
  if (path.startsWith("/") || path.includes("\0") || path.split(/[/\\]/).includes("..")) {
    throw new TenrecError("package-damaged", { package: name, reason: `it has a file outside itself: ${path}` });
  }
  return names.slice(1).join("/");
}
