import { createTarPacker } from "modern-tar";
import { describe, expect, test } from "vitest";
import { TreeStore } from "../tree-store.ts";
import { withStorage } from "../with-store.ts";
import type { ArchiveEntry, ArchiveLimits } from "./archive-entry.ts";
import { exportEntries } from "./export-entries.ts";
import { importEntries } from "./import-entries.ts";
import { packTar, unpackTar } from "./tar.ts";

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

async function all(stream: ReadableStream<Uint8Array>, limits?: ArchiveLimits): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = [];
  for await (const entry of unpackTar(stream, limits)) entries.push(entry);
  return entries;
}

function file(path: string, text: string): ArchiveEntry {
  return { path, kind: "file", mode: 0o644, bytes: new TextEncoder().encode(text) };
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
    ["is in .git behind a hidden character", { name: ".g\u200cit/config", size: 0 }, "EACCES"],
    ["is a device", { name: "dev", size: 0, type: "character-device" }, "EACCES"],
    ["is a fifo", { name: "fifo", size: 0, type: "fifo" }, "EACCES"],
    ["is a hard link", { name: "hard", size: 0, type: "link", linkname: "a" }, "EACCES"],
    ["is too long", { name: "x".repeat(300), size: 0 }, "EINVAL"],
  ])("an entry that %s is refused", async (_, header, code) => {
    await expect(all(foreignTar([header]))).rejects.toMatchObject({ code });
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

describe("importEntries", () => {
  test("replaces files and links, keeps directories, and goes through no link", () =>
    withStorage(async (storage) => {
      const store = new TreeStore(storage, { maxFileBytes: 100 });
      const overlay = store.overlay(store.emptyTree);
      await overlay.writeFile("/target", "old");
      await overlay.symlink("target", "/l");
      await overlay.symlink(".", "/up");
      await overlay.writeFile("/d/kept", "k");
      await importEntries(overlay, [
        file("/l", "new"),
        { path: "/d", kind: "directory", mode: 0o755 },
        file("/d/x", "x"),
      ]);
      expect((await overlay.lstat("/l")).type).toBe("file");
      expect(await overlay.readFile("/target")).toBe("old");
      expect(await overlay.readdir("/d")).toEqual(["kept", "x"]);
      const refused: [ArchiveEntry, string][] = [
        [file("/up/x", "x"), "EACCES"],
        [file("/target/x", "x"), "EACCES"],
        [file("/d", "x"), "EISDIR"],
        [file("/../x", "x"), "EACCES"],
        [file("/.git/x", "x"), "EACCES"],
        [file("/big", "x".repeat(101)), "EFBIG"],
        [{ path: "/bad", kind: "symlink", mode: 0o777, target: "a\0b" }, "EINVAL"],
      ];
      for (const [entry, code] of refused) {
        await expect(importEntries(overlay, [entry])).rejects.toMatchObject({ code });
      }
      expect(await overlay.readdir("/")).toEqual(["d", "l", "target", "up"]);
    }));
});
