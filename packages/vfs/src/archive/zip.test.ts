import { crc32 } from "node:zlib";
import { deflateSync } from "fflate";
import { describe, expect, test } from "vitest";
import type { ArchiveEntry } from "./archive-entry.ts";
import type { ArchiveLimits } from "./archive-limits.ts";
import { bytesOf, piecesOf } from "./file-content.ts";
import { packZip } from "./pack-zip.ts";
import { unpackZip } from "./unpack-zip.ts";
import { bytesOfStream, directory, file, link } from "./with-entries.ts";
import { concat, fields, type RawEnd, type RawEntry, rawZip } from "./with-zip.ts";
import { bytesSource } from "./zip-source.ts";

async function read(zip: Uint8Array, limits?: ArchiveLimits): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = [];
  for await (const entry of unpackZip(bytesSource(zip), limits)) {
    entries.push(entry.kind === "file" ? { ...entry, content: await bytesOf(entry) } : entry);
  }
  return entries;
}

const raw = (entries: readonly RawEntry[], end?: RawEnd): Promise<ArchiveEntry[]> => read(rawZip(entries, end));

describe("packZip and unpackZip", () => {
  test("keep names, modes, links, empty directories and content", async () => {
    const entries = [
      directory("/empty", 0o710),
      file("/a b/日本.txt", "text", 0o755),
      file("/none", ""),
      file("/zeros", new Uint8Array(300_000), 0o600),
      file("/a\\b", "x"),
      link("/l", "../été"),
      file(
        "/large",
        new Uint8Array(2_000_000).map((_, index) => index % 251),
      ),
    ];
    const zip = await bytesOfStream(packZip(entries));
    expect(await read(zip)).toEqual(entries);
    expect(await bytesOfStream(packZip(entries))).toEqual(zip);
    expect(await read(await bytesOfStream(packZip([])))).toEqual([]);
  });

  test("a large file comes in pieces", async () => {
    const zip = await bytesOfStream(packZip([file("/large", new Uint8Array(9_000_000).fill(1))]));
    for await (const entry of unpackZip(bytesSource(zip), { maxRatio: 2000 })) {
      if (entry.kind !== "file") throw new Error("a file is expected");
      expect(entry.content).not.toBeInstanceOf(Uint8Array);
      let size = 0;
      for await (const piece of piecesOf(entry)) size += piece.length;
      expect(size).toBe(9_000_000);
    }
  });

  test("a failing source fails the stream, a cancel ends the source", async () => {
    let ended = false;
    async function* source(fails: boolean): AsyncGenerator<ArchiveEntry> {
      try {
        for (let index = 0; index < 1000; index++) {
          if (fails && index === 3) throw new Error("source");
          yield file(`/${index}`, "x");
        }
      } finally {
        ended = true;
      }
    }
    await expect(bytesOfStream(packZip(source(true)))).rejects.toThrow("source");
    ended = false;
    const reader = packZip(source(false)).getReader();
    await reader.read();
    await reader.cancel();
    expect(ended).toBe(true);
  });

  test("more entries than the format has are refused", async () => {
    function* many(): Generator<ArchiveEntry> {
      for (let index = 0; index < 65_535; index++) yield directory(`/${index}`);
    }
    await expect(bytesOfStream(packZip(many()))).rejects.toMatchObject({
      code: "ENOSPC",
      data: { used: 65_535, limit: 65_534 },
    });
  }, 60_000);
});

describe("unpackZip reads what others write", () => {
  test.each<[string, RawEntry, object]>([
    ["stored content", { name: "f", content: "abc", method: 0 }, { path: "/f", kind: "file", size: 3 }],
    ["a directory of DOS", { name: "d", host: 0, attributes: 0x10 }, { path: "/d", kind: "directory", mode: 0o755 }],
    ["a file of DOS", { name: "f", host: 0, attributes: 0x20 }, { kind: "file", mode: 0o644 }],
    ["a name with a slash", { name: "d/", attributes: 0 }, { path: "/d", kind: "directory", mode: 0o755 }],
    ["no attributes", { name: "f", attributes: 0 }, { kind: "file", mode: 0o644 }],
    ["set-uid", { name: "f", mode: 0o104755 }, { kind: "file", mode: 0o755 }],
    ["a leading ./", { name: "./a/./f" }, { path: "/a/f" }],
    ["UTF-8 without the flag", { name: "é", flags: 0 }, { path: "/é" }],
    ["code page 437", { name: Uint8Array.of(0x82, 0x9a, 0xe1), flags: 0 }, { path: "/éÜß" }],
    ["a Unicode field", unicodeEntry(crc32("?")), { path: "/日" }],
    ["a Unicode field for another name", unicodeEntry(1), { path: "/?" }],
    ["sizes in a field of 64 bits", largeEntry(), { path: "/f", size: 3 }],
  ])("%s", async (_, entry, expected) => {
    expect(await raw([entry])).toMatchObject([expected]);
  });

  test("a comment, even one that looks like an end", async () => {
    const comment = "PK\u0005\u0006 and more text behind it".padEnd(60, ".");
    expect(await raw([{ name: "f", content: "x" }], { comment })).toHaveLength(1);
  });

  test("the larger form of the end, and the root itself is passed over", async () => {
    expect(
      await raw(
        [
          { name: "./", attributes: 0 },
          { name: "f", content: "x" },
        ],
        { isLarge: true },
      ),
    ).toMatchObject([{ path: "/f" }]);
  });
});

describe("unpackZip refuses", () => {
  const deflated = deflateSync(new Uint8Array(100));
  test.each<[string, string, RawEntry[], RawEnd?]>([
    ["a way out", "EACCES", [{ name: "../x" }]],
    ["a way out later", "EACCES", [{ name: "a/../../x" }]],
    ["an absolute path", "EACCES", [{ name: "/etc/passwd" }]],
    ["a drive", "EACCES", [{ name: "C:/x" }]],
    ["a drive with backslashes", "EACCES", [{ name: "C:\\x" }]],
    ["a way out with backslashes", "EACCES", [{ name: "..\\x" }]],
    ["backslashes from Windows", "EACCES", [{ name: "a\\b", host: 0 }]],
    [".git", "EACCES", [{ name: ".GIT/config" }]],
    ["a device", "EACCES", [{ name: "dev", mode: 0o020644 }]],
    ["a fifo", "EACCES", [{ name: "fifo", mode: 0o010644 }]],
    ["a file with the name of a directory", "EACCES", [{ name: "d/", mode: 0o100644 }]],
    ["an empty name", "EINVAL", [{ name: "" }]],
    ["a NUL in a name", "EINVAL", [{ name: "a\0b" }]],
    ["a name that is not UTF-8 although it says so", "EINVAL", [{ name: Uint8Array.of(0xff) }]],
    ["a target that is not UTF-8", "EINVAL", [{ name: "l", mode: 0o120777, content: Uint8Array.of(0xff) }]],
    ["a target that is too long", "EINVAL", [{ name: "l", mode: 0o120777, content: "x".repeat(5000) }]],
    ["two of one name", "EEXIST", [{ name: "a" }, { name: "./a" }]],
    ["two at one place", "EIO", [{ name: "a" }, { name: "b", offset: 0, isListedOnly: true }]],
    [
      "entries that overlap",
      "EIO",
      [
        { name: "a", content: "x".repeat(99), method: 0 },
        { name: "b", offset: 50 },
      ],
    ],
    ["content that reaches into the list", "EIO", [{ name: "a", method: 0, packed: 9, size: 9 }]],
    ["another name in its own header", "EIO", [{ name: "a", localName: "b" }]],
    ["no header where it should be", "EIO", [{ name: "a", offset: 3 }]],
    ["a place beyond the end", "EIO", [{ name: "a", offset: 99_999 }]],
    ["a wrong checksum", "EIO", [{ name: "a", content: "x", crc: 1 }]],
    ["more than it says", "EIO", [{ name: "a", content: "x".repeat(99), size: 98 }]],
    ["less than it says", "EIO", [{ name: "a", content: "x".repeat(99), size: 100 }]],
    ["a cut content", "EIO", [{ name: "a", raw: deflated.subarray(0, 4), size: 100, crc: crc32(new Uint8Array(100)) }]],
    ["content that is no deflate", "EIO", [{ name: "a", raw: Uint8Array.of(0xff, 0xff, 0xff), size: 9 }]],
    ["a directory with content", "EIO", [{ name: "d/", mode: 0o040755, content: "x" }]],
    ["encryption", "unsupported", [{ name: "a", flags: 1 }]],
    ["another method", "unsupported", [{ name: "a", method: 14, raw: Uint8Array.of(1) }]],
    ["several disks", "unsupported", [{ name: "a" }], { disk: 1 }],
    ["several disks in the larger form", "unsupported", [{ name: "a" }], { disk: 1, isLarge: true }],
    ["a wrong count", "EIO", [{ name: "a" }, { name: "b" }], { count: 1 }],
    ["other bytes before it", "EIO", [{ name: "a", offset: 0 }], { before: new Uint8Array(7), comment: "" }],
    ["a size without its field", "EIO", [{ name: "a", size: 0xffffffff }]],
  ])("%s", async (_, code, entries, end) => {
    await expect(raw(entries, end)).rejects.toMatchObject({ code });
  });

  test("an entry inside of another, which is how a small archive becomes endless", async () => {
    const inner: RawEntry = { name: "b", content: "x".repeat(50), method: 0 };
    const content = rawZip([inner]).subarray(0, 30 + 1 + 50);
    const outer: RawEntry = { name: "a", content, method: 0 };
    const zip = rawZip([outer, { ...inner, isListedOnly: true, offset: 30 + 1 }]);
    await expect(read(zip)).rejects.toMatchObject({
      code: "EIO",
      data: { reason: expect.stringContaining("shares bytes") },
    });
  });

  test("what is beyond the limits, before anything is unpacked", async () => {
    // Its content is damaged, which would be told first if it was read.
    const zip = rawZip([
      { name: "a", size: 5_000_000, raw: Uint8Array.of(0xff) },
      { name: "b", size: 5_000_000, raw: Uint8Array.of(0xff) },
    ]);
    await expect(read(zip, { maxEntries: 1 })).rejects.toMatchObject({ code: "ENOSPC", data: { used: 2, limit: 1 } });
    await expect(read(zip, { maxFileBytes: 4_999_999 })).rejects.toMatchObject({ code: "EFBIG" });
    await expect(read(zip, { maxBytes: 9_999_999 })).rejects.toMatchObject({ code: "ENOSPC" });
    await expect(read(zip)).rejects.toMatchObject({ code: "EACCES" });
    await expect(read(zip, { maxRatio: 1e6 })).rejects.toMatchObject({ code: "EIO" });
  });

  test("what is cut off or has another byte in it, wherever", async () => {
    const zip = rawZip([
      { name: "a.txt", content: "some text\n".repeat(9) },
      { name: "b", content: "x", method: 0 },
    ]);
    for (let length = 0; length < zip.length; length++) {
      await expect(read(zip.slice(0, length))).rejects.toMatchObject({ code: "EIO" });
    }
    await expect(read(concat(zip, Uint8Array.of(0)))).rejects.toMatchObject({ code: "EIO" });
  });
});

function unicodeEntry(checksum: number): RawEntry {
  const name = new TextEncoder().encode("日");
  const extra = concat(fields([2, 0x7075], [2, 5 + name.length], [1, 1], [4, checksum]), name);
  return { name: "?", flags: 0, extra };
}

function largeEntry(): RawEntry {
  const extra = fields([2, 99], [2, 0], [2, 1], [2, 24], [8, 3], [8, 3], [8, 0]);
  const full = 0xffffffff;
  return { name: "f", content: "abc", method: 0, extra, size: full, packed: full, offset: full };
}
