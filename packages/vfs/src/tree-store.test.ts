import { describe, expect, test } from "vitest";
import { PART_BYTES } from "./blobs.ts";
import { MAX_LEAF_ENTRIES } from "./node.ts";
import { MAX_DEPTH } from "./path.ts";
import { createSearch } from "./search/create-search.ts";
import { TreeStore } from "./tree-store.ts";
import { withStorage } from "./with-store.ts";

const MEBIBYTE = 1024 * 1024;

describe("heads and checkpoints", () => {
  test("a fork is a row, a revert is a row, and neither touches the other", () =>
    withStorage(async (storage) => {
      const store = new TreeStore(storage, { now: () => 5 });
      store.setHead("main", store.emptyTree);
      const overlay = store.overlay(store.head("main"));
      await overlay.writeFile("/a", "1");
      store.commit("main", await store.stage(overlay));
      const first = store.checkpoint("main", "one");
      expect(first).toEqual({ id: 1, head: "main", tree: store.head("main"), label: "one", at: 5 });
      const before = store.usage();
      store.setHead("fork", store.head("main"));
      expect(store.usage()).toEqual({ ...before, heads: 2 });
      const change = store.overlay(store.head("fork"));
      await change.rm("/a");
      store.commit("fork", await store.stage(change));
      expect(store.head("fork")).toBe(store.emptyTree);
      store.setHead("fork", first.tree);
      expect(await store.overlay(store.head("fork")).readFile("/a")).toBe("1");
      store.checkpoint("main", "two");
      expect(new TreeStore(storage).checkpoints("main").map(({ id, label }) => [id, label])).toEqual([
        [1, "one"],
        [2, "two"],
      ]);
      expect(store.checkpoints("none")).toEqual([]);
      expect(() => store.checkpoint("none", "x")).toThrow(expect.objectContaining({ code: "tree-not-found" }));
    }));

  test.each([
    ["no text", ""],
    ["a NUL", "a\0b"],
    ["half a surrogate pair", "\ud800"],
    ["far too much", "x".repeat(3_000_000)],
    ["nothing", undefined],
    ["bytes", new Uint8Array(3)],
  ])("a name with %s is refused, and is no head", (_, name) =>
    withStorage(async (storage) => {
      const store = new TreeStore(storage);
      const head = name as string;
      expect(() => store.setHead(head, store.emptyTree)).toThrow(expect.objectContaining({ code: "EINVAL" }));
      expect(store.usage().heads).toBe(0);
      expect(() => store.head(head)).toThrow(expect.objectContaining({ code: "tree-not-found" }));
      expect(() => store.overlay(head)).toThrow(expect.objectContaining({ code: "tree-not-found" }));
    }),
  );

  test("a store of a later version is refused", () =>
    withStorage(async (storage) => {
      new TreeStore(storage);
      storage.sql.exec("UPDATE tenrec_tree_schema SET version = 99");
      expect(() => new TreeStore(storage)).toThrow(expect.objectContaining({ code: "not-configured" }));
    }));
});

describe("large things", () => {
  test("a file of 50 MB is written, read, ranged and committed", () =>
    withStorage(async (storage) => {
      const store = new TreeStore(storage);
      store.setHead("main", store.emptyTree);
      const overlay = store.overlay(store.head("main"));
      const bytes = new Uint8Array(50 * MEBIBYTE + 3);
      for (let at = 0; at < bytes.length; at += 1021) bytes[at] = at % 251;
      await overlay.writeFileBytes("/big", bytes);
      // So large a file does not stay in memory.
      expect(overlay.bytes).toBe(0);
      store.commit("main", await store.stage(overlay));
      expect(store.usage().blobs).toEqual({ rows: 51, bytes: bytes.length });
      const reopened = new TreeStore(storage).overlay(store.head("main"));
      const read = await reopened.readFileBytes("/big");
      expect(Buffer.compare(read, bytes)).toBe(0);
      const range = await reopened.readRange("/big", 20 * MEBIBYTE - 500, 2 * MEBIBYTE + 1000);
      expect(Buffer.compare(range, bytes.subarray(20 * MEBIBYTE - 500, 22 * MEBIBYTE + 500))).toBe(0);
      expect((await reopened.readRange("/big", bytes.length - 2, 100)).length).toBe(2);
    }));

  test("limits on a file and on an overlay are typed, and the overlay stays as it was", () =>
    withStorage(async (storage) => {
      const store = new TreeStore(storage, { maxFileBytes: 10 });
      const overlay = store.overlay(store.emptyTree, { maxBytes: 15 });
      await expect(overlay.writeFile("/d/a", "12345678901")).rejects.toMatchObject({
        code: "EFBIG",
        data: { size: 11, limit: 10 },
      });
      await overlay.writeFile("/a", "1234567890");
      await expect(overlay.appendFile("/a", "x")).rejects.toMatchObject({ code: "EFBIG" });
      await expect(overlay.writeFile("/e/b", "123456")).rejects.toMatchObject({
        code: "ENOSPC",
        data: { used: 16, limit: 15 },
      });
      await expect(overlay.cp("/a", "/c")).rejects.toMatchObject({ code: "ENOSPC" });
      await overlay.writeFile("/b", "12345");
      expect([overlay.bytes, await overlay.readdir("/")]).toEqual([15, ["a", "b"]]);
      await overlay.rm("/a");
      await overlay.mkdir("/d");
      await overlay.mv("/b", "/d/b");
      expect(overlay.bytes).toBe(5);
      await overlay.rm("/d", { recursive: true });
      expect(overlay.bytes).toBe(0);
    }));

  test("a path as deep as can be is committed, searched, listed and removed", () =>
    withStorage(async (storage) => {
      const store = new TreeStore(storage);
      store.setHead("main", store.emptyTree);
      const overlay = store.overlay(store.head("main"));
      const deep = `/${"d/".repeat(MAX_DEPTH - 1)}f`;
      await overlay.writeFile(deep, "found");
      const refused = { code: "EINVAL" };
      await expect(overlay.mkdir(`/${"e/".repeat(MAX_DEPTH + 1)}`, { recursive: true })).rejects.toMatchObject(refused);
      await expect(overlay.cp("/d", "/deeper/copy", { recursive: true })).rejects.toMatchObject(refused);
      await expect(overlay.mv("/d", "/deeper/moved")).rejects.toMatchObject(refused);
      await overlay.writeFile(`/long/${"n".repeat(200)}`, "x");
      const long = `/${`${"l".repeat(250)}/`.repeat(15)}`;
      await expect(overlay.mv("/long", `${long}here${"x".repeat(130)}`)).rejects.toMatchObject(refused);
      await overlay.rm("/long", { recursive: true });
      expect(await overlay.readdir("/")).toEqual(["d"]);
      const { before, tree } = store.commit("main", await store.stage(overlay));
      expect(store.changes(before, tree)).toMatchObject([{ path: deep, change: "create" }]);
      expect(store.manifest(tree)).toHaveLength(MAX_DEPTH);
      const reopened = new TreeStore(storage).overlay(tree);
      expect(await reopened.glob("/**/f")).toEqual([deep]);
      const events = createSearch(reopened).grep({ pattern: "found" });
      expect((await events[Symbol.asyncIterator]().next()).value).toMatchObject({ path: deep });
      await reopened.rm("/d", { recursive: true });
      expect(store.commit("main", await store.stage(reopened)).tree).toBe(store.emptyTree);
    }));

  test("a directory of 5,000 files fans out: one more file costs few rows", () =>
    withStorage(async (storage) => {
      const store = new TreeStore(storage);
      store.setHead("main", store.emptyTree);
      const overlay = store.overlay(store.head("main"));
      for (let index = 0; index < 5000; index++) await overlay.writeFile(`/many/${index}`, "x");
      store.commit("main", await store.stage(overlay));
      const before = store.usage();
      const edit = store.overlay(store.head("main"));
      await edit.writeFile("/many/new", "y");
      await edit.rm("/many/17");
      const { tree } = store.commit("main", await store.stage(edit));
      const after = store.usage();
      expect(after.nodes.rows - before.nodes.rows).toBeLessThanOrEqual(6);
      expect(after.nodes.bytes - before.nodes.bytes).toBeLessThan(60_000);
      const names = await new TreeStore(storage).overlay(tree).readdir("/many");
      expect([names.length, names.includes("new"), names.includes("17")]).toEqual([5000, true, false]);
    }));

  test("the nodes of a directory follow from its entries alone, on both sides of the limit", () =>
    withStorage(async (storage) => {
      const store = new TreeStore(storage);
      const trees = new Map<number, string>();
      for (const direction of [1, -1]) {
        store.setHead("main", store.emptyTree);
        let names = 0;
        for (const count of [MAX_LEAF_ENTRIES - 1, MAX_LEAF_ENTRIES, MAX_LEAF_ENTRIES + 1, 400].slice(
          0,
          direction === 1 ? 4 : 4,
        )) {
          const wanted = direction === 1 ? count : 400 + MAX_LEAF_ENTRIES - count;
          const overlay = store.overlay(store.head("main"));
          for (; names < wanted; names++) await overlay.writeFile(`/${names}`, "x");
          for (; names > wanted; names--) await overlay.rm(`/${names - 1}`);
          const { tree } = store.commit("main", await store.stage(overlay));
          trees.set(direction * wanted, tree);
        }
      }
      for (const [count, tree] of trees) {
        const fresh = store.overlay(store.emptyTree);
        for (let index = 0; index < Math.abs(count); index++) await fresh.writeFile(`/${index}`, "x");
        store.setHead("fresh", store.emptyTree);
        expect(store.commit("fresh", await store.stage(fresh)).tree).toBe(tree);
      }
    }));
});

describe("what is missing", () => {
  test("a missing content is EIO, never empty", () =>
    withStorage(async (storage) => {
      const store = new TreeStore(storage);
      store.setHead("main", store.emptyTree);
      const overlay = store.overlay(store.head("main"));
      await overlay.writeFile("/a", "small");
      await overlay.writeFileBytes("/b", new Uint8Array(2 * PART_BYTES + 1).fill(7));
      await overlay.writeFile("/empty", "");
      const { tree } = store.commit("main", await store.stage(overlay));
      storage.sql.exec("DELETE FROM tenrec_blobs WHERE part = 1 OR size = 5");
      const damaged = store.overlay(tree);
      const io = { code: "EIO" };
      await expect(damaged.readFile("/a")).rejects.toMatchObject(io);
      await expect(damaged.readFileBytes("/a")).rejects.toMatchObject(io);
      await expect(damaged.readRange("/a", 0, 2)).rejects.toMatchObject(io);
      await expect(damaged.appendFile("/a", "x")).rejects.toMatchObject(io);
      await expect(damaged.readFileBytes("/b")).rejects.toMatchObject(io);
      await expect(damaged.readRange("/b", PART_BYTES, 1)).rejects.toMatchObject(io);
      expect((await damaged.readRange("/b", 0, 1)).join()).toBe("7");
      expect(await damaged.readFile("/empty")).toBe("");
    }));

  test("a content that is condemned is not read", () =>
    withStorage(async (storage) => {
      const store = new TreeStore(storage);
      const overlay = store.overlay(store.emptyTree);
      await overlay.writeFile("/a", "x");
      store.setHead("main", store.emptyTree);
      const { tree } = store.commit("main", await store.stage(overlay));
      storage.sql.exec("UPDATE tenrec_blobs SET state = 'condemned'");
      await expect(store.overlay(tree).readFile("/a")).rejects.toMatchObject({ code: "EIO" });
    }));

  test("a missing directory node is EIO", () =>
    withStorage(async (storage) => {
      const store = new TreeStore(storage);
      store.setHead("main", store.emptyTree);
      const overlay = store.overlay(store.head("main"));
      await overlay.writeFile("/d/a", "x");
      const { tree } = store.commit("main", await store.stage(overlay));
      storage.sql.exec("DELETE FROM tenrec_nodes WHERE hash <> ?", tree);
      await expect(new TreeStore(storage).overlay(tree).readdir("/d")).rejects.toMatchObject({ code: "EIO" });
    }));

  test(".git cannot be made", () =>
    withStorage(async (storage) => {
      const overlay = new TreeStore(storage).overlay(new TreeStore(storage).emptyTree);
      const refused = { code: "EACCES" };
      await expect(overlay.writeFile("/.git/config", "x")).rejects.toMatchObject(refused);
      await expect(overlay.mkdir("/sub/.git", { recursive: true })).rejects.toMatchObject(refused);
      await expect(overlay.symlink("/x", "/.git")).rejects.toMatchObject(refused);
      await overlay.writeFile("/.gitignore", "x");
      await expect(overlay.mv("/.gitignore", "/.git")).rejects.toMatchObject(refused);
      expect(await overlay.readdir("/")).toEqual([".gitignore"]);
    }));
});
