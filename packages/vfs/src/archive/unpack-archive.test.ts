import { gzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import type { ArchiveEntry } from "./archive-entry.ts";
import { packZip } from "./pack-zip.ts";
import { packTarGz } from "./tar-gz.ts";
import { packTar } from "./tar.ts";
import { unpackArchive, type UnpackOptions } from "./unpack-archive.ts";
import { bytesOfStream, directory, file, link, streamOf } from "./with-entries.ts";
import { concat } from "./with-zip.ts";
import { bytesSource } from "./zip-source.ts";

const entries = [directory("/d"), file("/d/f", "text", 0o755), link("/l", "d/f")];

async function read(stream: ReadableStream<Uint8Array>, options?: UnpackOptions): Promise<ArchiveEntry[]> {
  const found: ArchiveEntry[] = [];
  for await (const entry of unpackArchive(stream, options)) found.push(entry);
  return found;
}

const zeros = (length: number): Uint8Array => new Uint8Array(length);

describe("unpackArchive", () => {
  test.each([
    ["tar", packTar],
    ["tar.gz", packTarGz],
    ["zip", packZip],
  ])("knows %s by its first bytes, in chunks of any size", async (_, pack) => {
    const bytes = await bytesOfStream(pack(entries));
    for (const chunk of [1, 100, 1_000_000]) expect(await read(streamOf(bytes, chunk))).toEqual(entries);
    expect(await read(pack([]))).toEqual([]);
  });

  test.each<[string, string, Uint8Array]>([
    ["nothing", "EINVAL", zeros(0)],
    ["a text", "EINVAL", new TextEncoder().encode("# Read me\n".repeat(99))],
    ["half a block of zeros", "EINVAL", zeros(300)],
    ["a gzip stream of a text", "EINVAL", gzipSync(new TextEncoder().encode("text"))],
    ["a zip in a gzip stream", "EINVAL", gzipSync(Uint8Array.of(0x50, 0x4b, 5, 6, ...zeros(18)))],
    ["bzip2", "unsupported", new TextEncoder().encode("BZh91AY&SY")],
    ["xz", "unsupported", Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0)],
    ["zstd", "unsupported", Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd)],
    ["7z", "unsupported", Uint8Array.of(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c)],
    ["a cut gzip header", "EIO", Uint8Array.of(0x1f, 0x8b, 8)],
    ["a cut zip", "EIO", Uint8Array.of(0x50, 0x4b, 3, 4)],
  ])("says what is wrong with %s", async (_, code, bytes) => {
    await expect(read(streamOf(bytes, 7))).rejects.toMatchObject({ code });
  });

  test("a gzip stream that is cut off or damaged is EIO", async () => {
    const bytes = await bytesOfStream(packTarGz([file("/f", crypto.getRandomValues(zeros(5000)))]));
    for (const length of [20, 1000, bytes.length - 9, bytes.length - 1]) {
      await expect(read(streamOf(bytes.slice(0, length)))).rejects.toMatchObject({ code: "EIO" });
    }
    const checksum = bytes.slice();
    checksum[bytes.length - 6] = (checksum[bytes.length - 6] ?? 0) ^ 1;
    await expect(read(streamOf(checksum))).rejects.toMatchObject({ code: "EIO" });
  });

  test("gzip streams that follow each other are one", async () => {
    const tar = await bytesOfStream(packTar(entries));
    expect(await read(streamOf(concat(gzipSync(tar.slice(0, 700)), gzipSync(tar.slice(700)))))).toEqual(entries);
  });

  test("a bomb is stopped by its ratio, and reads on no further", async () => {
    const noise = file(
      "/noise",
      new Uint8Array(3_000_000).map(() => Math.random() * 256),
    );
    const tar = await bytesOfStream(packTarGz([file("/zeros", zeros(40_000_000)), noise]));
    let read = 0;
    const watched = streamOf(tar, 4096).pipeThrough(
      new TransformStream({
        transform(chunk: Uint8Array, controller) {
          read += chunk.length;
          controller.enqueue(chunk);
        },
      }),
    );
    const unpack = async (options: UnpackOptions, stream = streamOf(tar)): Promise<void> => {
      for await (const entry of unpackArchive(stream, options)) {
        if (entry.kind === "file" && !(entry.content instanceof Uint8Array)) for await (const _ of entry.content);
      }
    };
    await expect(unpack({}, watched)).rejects.toMatchObject({ code: "EACCES" });
    expect(read).toBeLessThan(500_000);
    await unpack({ maxRatio: 1100 });
  }, 60_000);

  test("a zip is held within its own limit, or where the caller says", async () => {
    const entries = [file("/a", "x".repeat(99)), file("/b", crypto.getRandomValues(zeros(900)))];
    const bytes = await bytesOfStream(packZip(entries));
    await expect(read(streamOf(bytes), { maxHeldBytes: bytes.length - 1 })).rejects.toMatchObject({
      code: "EFBIG",
      data: { limit: bytes.length - 1 },
    });
    const held: Uint8Array[] = [];
    const hold = async (chunks: AsyncIterable<Uint8Array>) => {
      for await (const chunk of chunks) held.push(chunk);
      return bytesSource(concat(...held));
    };
    expect(await read(streamOf(bytes, 50), { hold, maxHeldBytes: 1 })).toEqual(entries);
    expect(held.length).toBeGreaterThan(2);
  });

  test("a consumer that stops cancels the stream", async () => {
    for (const pack of [packTar, packTarGz]) {
      let cancelled = false;
      const bytes = await bytesOfStream(
        pack([
          file("/a", ""),
          file(
            "/b",
            zeros(9_000_000).map(() => Math.random() * 256),
          ),
        ]),
      );
      let at = 0;
      const stream = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          if (at < bytes.length) controller.enqueue(bytes.slice(at, (at += 10_000)));
          else controller.close();
        },
        cancel: () => {
          cancelled = true;
        },
      });
      for await (const _ of unpackArchive(stream)) break;
      expect(cancelled).toBe(true);
    }
  });

  test("a consumer that stops does not wait for a stream that stalls", async () => {
    for (const pack of [packTar, packTarGz]) {
      const bytes = await bytesOfStream(pack([file("/a", ""), file("/b", crypto.getRandomValues(zeros(60_000)))]));
      let cancelled = false;
      const stalling = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(bytes.slice(0, 30_000)),
        cancel: () => {
          cancelled = true;
        },
      });
      for await (const { path } of unpackArchive(stalling)) {
        expect(path).toBe("/a");
        break;
      }
      expect(cancelled).toBe(true);
    }
  });
});
