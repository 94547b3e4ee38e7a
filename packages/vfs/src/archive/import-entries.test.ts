import { setImmediate } from "node:timers";
import { describe, expect, test } from "vitest";
import type { Overlay } from "../overlay/overlay.ts";
import { TreeStore, type TreeStoreOptions } from "../tree-store.ts";
import { withStorage } from "../with-store.ts";
import type { ArchiveEntry } from "./archive-entry.ts";
import { exportEntries } from "./export-entries.ts";
import { importEntries } from "./import-entries.ts";
import { bytesOf } from "./file-content.ts";
import { directory, file, link } from "./with-entries.ts";

type Options = TreeStoreOptions & { readonly maxBytes?: number };

async function withOverlay<T>(run: (overlay: Overlay, store: TreeStore) => Promise<T>, options: Options = {}) {
  return withStorage((storage) => {
    const store = new TreeStore(storage, options);
    const { maxBytes } = options;
    return run(store.overlay(store.emptyTree, maxBytes === undefined ? {} : { maxBytes }), store);
  });
}

/** Every path with its content or target, and its mode. */
async function contents(overlay: Overlay): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const entry of exportEntries(overlay)) {
    const text =
      entry.kind === "file"
        ? new TextDecoder().decode(await bytesOf(entry))
        : entry.kind === "symlink"
          ? `-> ${entry.target}`
          : "/";
    found[entry.path] = `${text} ${entry.mode.toString(8)}`;
  }
  return found;
}

describe("importEntries", () => {
  test("replaces files and links, keeps directories, and goes through no link", () =>
    withOverlay(async (overlay) => {
      await overlay.writeFile("/target", "old");
      await overlay.symlink("target", "/l");
      await overlay.writeFile("/d/kept", "k");
      await overlay.chmod("/d", 0o700);
      const entries = [
        file("/l", "new"),
        directory("/d"),
        file("/d/x", "x"),
        directory("/target"),
        file("/target/f", ""),
      ];
      expect(await importEntries(overlay, entries)).toEqual({ entries: 5, bytes: 4 });
      expect(await contents(overlay)).toEqual({
        "/d": "/ 700",
        "/d/kept": "k 644",
        "/d/x": "x 644",
        "/l": "new 644",
        "/target": "/ 755",
        "/target/f": " 644",
      });
    }));

  test("a directory may come behind what is in it, and one path more than once", () =>
    withOverlay(async (overlay) => {
      const entries = [file("/d/f", "1"), directory("/d", 0o710), file("/d/f", "2"), link("/d/f", "x")];
      await importEntries(overlay, entries);
      expect(await contents(overlay)).toEqual({ "/d": "/ 710", "/d/f": "-> x 777" });
    }));

  test.each<[string, string, ArchiveEntry[]]>([
    ["through a link that was there", "EACCES", [file("/up/x", "x")]],
    ["through a link of the archive", "EACCES", [link("/new", "."), file("/new/x", "x")]],
    ["through a link in the place of a directory", "EACCES", [link("/d/l", "."), file("/d/l/x", "x")]],
    ["below a file that was there", "EACCES", [file("/target/x", "x")]],
    ["below a file of the archive", "EACCES", [file("/f", "x"), directory("/f/x")]],
    ["over a directory that was there", "EISDIR", [file("/d", "x")]],
    ["over a directory of the archive", "EISDIR", [file("/e/f", "x"), link("/e", "x")]],
    ["out of the tree", "EACCES", [file("/../x", "x")]],
    ["into .git", "EACCES", [file("/.git/x", "x")]],
    ["a file that is too large", "EFBIG", [file("/big", "x".repeat(101))]],
    ["a link that is none", "EINVAL", [link("/bad", "a\0b")]],
    ["less than it says", "EIO", [{ path: "/f", kind: "file", mode: 0o644, size: 9, content: new Uint8Array(5) }]],
  ])("refuses to write %s, and leaves nothing of what came before", (_, code, entries) =>
    withOverlay(
      async (overlay) => {
        await overlay.writeFile("/target", "old");
        await overlay.symlink(".", "/up");
        await overlay.writeFile("/d/kept", "k");
        const [before, bytes] = [await contents(overlay), overlay.bytes];
        const first = [file("/first", "1"), file("/d/first", "1"), file("/target", "new")];
        await expect(importEntries(overlay, [...first, ...entries])).rejects.toMatchObject({ code });
        expect(await contents(overlay)).toEqual(before);
        expect(overlay.bytes).toBe(bytes);
      },
      { maxFileBytes: 100 },
    ),
  );

  test("a source that fails and a signal that aborts leave nothing either", () =>
    withOverlay(async (overlay) => {
      async function* failing(): AsyncGenerator<ArchiveEntry> {
        yield file("/a", "1");
        throw new Error("the connection is gone");
      }
      await expect(importEntries(overlay, failing())).rejects.toThrow("the connection is gone");
      const controller = new AbortController();
      function* endless(): Generator<ArchiveEntry> {
        for (let index = 0; ; index++) {
          if (index === 10) controller.abort(new Error("stopped"));
          yield file(`/${index}`, "");
        }
      }
      await expect(importEntries(overlay, endless(), { signal: controller.signal })).rejects.toThrow("stopped");
      expect(overlay.changes()).toEqual([]);
    }));

  test("lets others run while it works", () =>
    withOverlay(async (overlay) => {
      const controller = new AbortController();
      setImmediate(() => controller.abort(new Error("somebody else")));
      function* endless(): Generator<ArchiveEntry> {
        for (let index = 0; ; index++) yield file(`/${index % 1000}`, "");
      }
      const options = { signal: controller.signal, maxEntries: 1e9 };
      await expect(importEntries(overlay, endless(), options)).rejects.toThrow("somebody else");
    }));

  test("an abort ends a large file in the middle", () =>
    withOverlay(async (overlay) => {
      const controller = new AbortController();
      let pieces = 0;
      async function* content(): AsyncGenerator<Uint8Array> {
        for (; pieces < 100; pieces++) {
          if (pieces === 5) controller.abort(new Error("stopped"));
          yield new Uint8Array(1000);
        }
      }
      const large = { path: "/l", kind: "file", mode: 0o644, size: 100_000, content: content() } as const;
      await expect(importEntries(overlay, [large], { signal: controller.signal })).rejects.toThrow("stopped");
      expect(pieces).toBe(5);
    }));

  test("what is written meanwhile stays, and is what the import meets", () =>
    withOverlay(async (overlay) => {
      async function* slow(path: string): AsyncGenerator<ArchiveEntry> {
        yield file(path, "imported");
        await overlay.writeFile("/meanwhile/f", "written");
        expect(await overlay.exists(path)).toBe(false);
      }
      await importEntries(overlay, slow("/meanwhile/g"));
      await expect(importEntries(overlay, slow("/meanwhile/f/x"))).rejects.toMatchObject({ code: "EACCES" });
      expect(await contents(overlay)).toEqual({
        "/meanwhile": "/ 755",
        "/meanwhile/f": "written 644",
        "/meanwhile/g": "imported 644",
      });
    }));

  test("what the overlay's memory has no room for goes to the store", () =>
    withOverlay(
      async (overlay) => {
        await overlay.writeFile("/a", "x".repeat(40));
        await importEntries(overlay, [file("/b", "y".repeat(61))]);
        expect(overlay.bytes).toBe(40);
        expect(await overlay.readFile("/b")).toBe("y".repeat(61));
        await importEntries(overlay, [file("/b", "x".repeat(50)), file("/a", "x".repeat(10))]);
        expect(overlay.bytes).toBe(60);
      },
      { maxBytes: 100 },
    ));

  test("the byte budget holds for what is written meanwhile", () =>
    withOverlay(
      async (overlay) => {
        await overlay.writeFile("/a", "x".repeat(40));
        async function* slow(meanwhile: number): AsyncGenerator<ArchiveEntry> {
          yield file("/a", "y".repeat(30));
          yield file("/b", "y".repeat(30));
          await overlay.writeFile("/c", "z".repeat(meanwhile));
        }
        await expect(importEntries(overlay, slow(46))).rejects.toMatchObject({
          code: "ENOSPC",
          data: { used: 106, limit: 100 },
        });
        expect(await overlay.readFile("/a")).toBe("x".repeat(40));
        expect(await overlay.readdir("/")).toEqual(["a", "c"]);
        await overlay.rm("/c");
        await importEntries(overlay, slow(40));
        expect(overlay.bytes).toBe(100);
      },
      { maxBytes: 100 },
    ));

  test.each<[string, object]>([
    ["no mode", { mode: undefined }],
    ["a mode that is text", { mode: "644" }],
    ["the type of a file in its mode", { mode: 0o100644 }],
    ["a mode below 0", { kind: "directory", mode: -1 }],
    ["no size", { size: undefined }],
    ["a size that is no number", { size: Number.NaN }],
    ["a size below 0", { size: -1 }],
    ["no path", { path: undefined }],
    ["a path without a slash", { path: "a" }],
    ["another kind", { kind: "fifo" }],
    ["no target", { kind: "symlink" }],
    ["text for bytes", { content: "x" }],
  ])("an entry with %s is refused", (_, wrong) =>
    withOverlay(async (overlay) => {
      const entry = { ...file("/a", "x"), ...wrong } as ArchiveEntry;
      await expect(importEntries(overlay, [file("/b", "y"), entry])).rejects.toMatchObject({ code: "EINVAL" });
      expect(await overlay.readdir("/")).toEqual([]);
    }),
  );

  test("limits are checked before content is read", () =>
    withOverlay(async (overlay) => {
      const unread = (async function* unreadable(): AsyncGenerator<Uint8Array> {
        yield await Promise.reject(new Error("read"));
      })();
      const large = { path: "/l", kind: "file", mode: 0o644, size: 5000, content: unread } as const;
      await expect(importEntries(overlay, [large], { maxFileBytes: 4999 })).rejects.toMatchObject({ code: "EFBIG" });
      await expect(importEntries(overlay, [large], { maxBytes: 4999 })).rejects.toMatchObject({ code: "ENOSPC" });
      await expect(importEntries(overlay, [file("/a", ""), large], { maxEntries: 1 })).rejects.toMatchObject({
        code: "ENOSPC",
      });
    }));
});
