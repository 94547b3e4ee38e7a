import { createTarPacker } from "modern-tar";
import { describe, expect, test } from "vitest";
import { TreeStore } from "../tree-store.ts";
import { withStorage } from "../with-store.ts";
import type { ArchiveEntry } from "./archive-entry.ts";
import type { ArchiveLimits } from "./archive-limits.ts";
import { exportEntries } from "./export-entries.ts";
import { importEntries } from "./import-entries.ts";
import { packTar, unpackTar } from "./tar.ts";
import { bytesOfStream, file, streamOf } from "./with-entries.ts";

type Header = Parameters<ReturnType<typeof createTarPacker>["controller"]["add"]>[0];

/** An archive as another program might make it. */
function foreignTar(headers: Header[]): ReadableStream<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const write = async (): Promise<void> => {
    for (const header of headers) {
      const writer = controller.add(header).getWriter();
      if (header.size > 0) await writer.write(new Uint8Array(header.size));
      await writer.close();
    }
    controller.finalize();
  };
  write().catch((error: unknown) => controller.error(error));
  return readable;
}

function rewriteChecksum(header: Uint8Array): void {
  header.fill(0x20, 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.set(new TextEncoder().encode(`${sum.toString(8).padStart(6, "0")}\0 `), 148);
}

async function all(stream: ReadableStream<Uint8Array>, limits?: ArchiveLimits): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = [];
  for await (const entry of unpackTar(stream, limits)) entries.push(entry);
  return entries;
}

describe("tar", () => {
  test("a tree goes out and comes back the same", () =>
    withStorage(async (storage) => {
      const store = new TreeStore(storage);
      store.setHead("main", store.emptyTree);
      const from = store.overlay(store.head("main"));
      await from.writeFile("/a.txt", "a");
      await from.writeFile(`/${"deep/".repeat(40)}${"n".repeat(200)}.txt`, "long name");
      await from.writeFile("/é/日本.txt", "unicode");
      await from.writeFileBytes("/bin/run", new Uint8Array(700_000).fill(9));
      await from.chmod("/bin/run", 0o755);
      await from.symlink("../a.txt", "/bin/link");
      await from.symlink("t".repeat(300), "/bin/long");
      await from.mkdir("/empty");
      await from.writeFile("/.gitignore", "a.txt");
      await from.writeFile("/none", "");
      const { tree } = store.commit("main", await store.stage(from));
      const stored = new TreeStore(storage).overlay(tree);
      const to = store.overlay(store.emptyTree);
      const imported = await importEntries(to, unpackTar(packTar(exportEntries(stored))));
      expect(imported.bytes).toBe(700_022);
      store.setHead("copy", store.emptyTree);
      expect(store.commit("copy", await store.stage(to)).tree).toBe(tree);
    }));

  test.each<[string, Header, string]>([
    ["leads out", { name: "../x", size: 0 }, "EACCES"],
    ["leads out later", { name: "a/../../x", size: 0 }, "EACCES"],
    ["is absolute", { name: "/etc/passwd", size: 0 }, "EACCES"],
    ["is in .git", { name: "sub/.git/config", size: 0 }, "EACCES"],
    ["is in .git for some systems", { name: ".GIT/config", size: 0 }, "EACCES"],
    ["is in .git for NTFS", { name: "git~1/config", size: 0 }, "EACCES"],
    ["is in .git behind a dot", { name: ".git./config", size: 0 }, "EACCES"],
    ["leads out for Windows", { name: "a\\..\\..\\x", size: 0 }, "EACCES"],
    ["is absolute for Windows", { name: "C:\\x", size: 0 }, "EACCES"],
    ["is on a drive", { name: "c:/x", size: 0 }, "EACCES"],
    ["is in .git for Windows", { name: "sub\\.git\\config", size: 0 }, "EACCES"],
    ["is a sparse file of PAX", { name: "s", size: 0, pax: { "GNU.sparse.major": "1" } }, "EACCES"],
    ["has a size apart from its header", { name: "s", size: 0, pax: { size: "0" } }, "EACCES"],
    ["is in .git behind a hidden character", { name: ".g\u200cit/config", size: 0 }, "EACCES"],
    ["is a device", { name: "dev", size: 0, type: "character-device" }, "EACCES"],
    ["is a fifo", { name: "fifo", size: 0, type: "fifo" }, "EACCES"],
    ["is a hard link", { name: "hard", size: 0, type: "link", linkname: "a" }, "EACCES"],
    ["is too long", { name: "x".repeat(300), size: 0 }, "EINVAL"],
  ])("an entry that %s is refused", async (_, header, code) => {
    await expect(all(foreignTar([header]))).rejects.toMatchObject({ code });
  });

  test.each([
    ["S", "EACCES"],
    ["V", "EACCES"],
    ["Z", "EACCES"],
  ])("an entry of type %s is refused, even behind others", async (type, code) => {
    const bytes = await bytesOfStream(packTar([file("/first", "x".repeat(700)), file("/second", "y")]));
    const header = bytes.subarray(512 + 1024, 512 + 1024 + 512);
    header[156] = type.charCodeAt(0);
    rewriteChecksum(header);
    await expect(all(streamOf(bytes, 100))).rejects.toMatchObject({ code, data: { path: "second" } });
  });

  test("a name that is not UTF-8 is refused, not made into another", async () => {
    const bytes = await bytesOfStream(packTar([file("/name", "x")]));
    bytes[0] = 0xff;
    rewriteChecksum(bytes.subarray(0, 512));
    await expect(all(streamOf(bytes))).rejects.toMatchObject({ code: "EINVAL" });
  });

  test("a file whose content is not as long as it says fails the stream", async () => {
    for (const size of [1, 9]) {
      const entry = { path: "/f", kind: "file", mode: 0o644, size, content: new Uint8Array(5) } as const;
      await expect(all(packTar([entry]))).rejects.toMatchObject({ code: "EIO" });
    }
  });

  test("what is left unread of a large file is passed over", async () => {
    const large = file("/large", new Uint8Array(3 * 1024 * 1024).fill(7));
    const paths: string[] = [];
    for await (const { path } of unpackTar(packTar([large, large, file("/small", "x")]))) paths.push(path);
    expect(paths).toEqual(["/large", "/large", "/small"]);
  });

  test("a leading ./ is fine, the root itself is passed over", async () => {
    const entries = await all(
      foreignTar([
        { name: "./", size: 0, type: "directory" },
        { name: "./a", size: 2, mode: 0o4755 },
      ]),
    );
    expect(entries).toMatchObject([{ path: "/a", kind: "file", mode: 0o755 }]);
  });

  test("limits are typed and checked before the content is read", async () => {
    const tar = () => packTar([file("/a", "12345"), file("/b", "12345")]);
    await expect(all(tar(), { maxFileBytes: 4 })).rejects.toMatchObject({ code: "EFBIG", data: { size: 5, limit: 4 } });
    await expect(all(tar(), { maxBytes: 9 })).rejects.toMatchObject({ code: "ENOSPC", data: { used: 10, limit: 9 } });
    await expect(all(tar(), { maxEntries: 1 })).rejects.toMatchObject({ code: "ENOSPC" });
    expect(await all(tar(), { maxBytes: 10, maxFileBytes: 5, maxEntries: 2 })).toHaveLength(2);
  });

  test("an archive that is cut off or is none is EIO", async () => {
    const whole = new Uint8Array(await new Response(packTar([file("/a", "x".repeat(2000))])).arrayBuffer());
    for (const bytes of [whole.slice(0, 700), whole.slice(0, 1600), new Uint8Array(1024).fill(0x41)]) {
      await expect(all(new Response(bytes).body as ReadableStream<Uint8Array>)).rejects.toMatchObject({ code: "EIO" });
    }
  });

  test("a failing source fails the stream", async () => {
    async function* failing(): AsyncGenerator<ArchiveEntry> {
      yield file("/a", "x");
      throw new Error("source");
    }
    await expect(all(packTar(failing()))).rejects.toThrow("source");
  });
});
