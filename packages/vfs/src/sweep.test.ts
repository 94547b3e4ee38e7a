import { describe, expect, test } from "vitest";
import { maintain } from "./maintain.ts";
import type { Overlay } from "./overlay/overlay.ts";
import type { StorageLike } from "./sql.ts";
import { TreeStore } from "./tree-store.ts";
import { withStorage } from "./with-store.ts";

interface Setup {
  readonly store: TreeStore;
  readonly clock: { now: number };
  readonly storage: StorageLike;
}

function withTree(run: (setup: Setup) => Promise<void>): Promise<void> {
  return withStorage(async (storage) => {
    const clock = { now: 1_000_000 };
    const store = new TreeStore(storage, { now: () => clock.now });
    store.setHead("main", store.emptyTree);
    await run({ store, clock, storage });
  });
}

async function edit(store: TreeStore, change: (overlay: Overlay) => Promise<void>, head = "main"): Promise<string> {
  using overlay = store.overlay(store.head(head));
  await change(overlay);
  return store.commit(head, await store.stage(overlay)).tree;
}

const write = (store: TreeStore, path: string, text: string, head?: string): Promise<string> =>
  edit(store, (overlay) => overlay.writeFile(path, text), head);

/** Every file of a tree, read to the end. */
async function readAll(store: TreeStore, tree: string): Promise<Record<string, string>> {
  using overlay = store.overlay(tree);
  const files = store.manifest(tree).filter(({ kind }) => kind === "file");
  return Object.fromEntries(await Promise.all(files.map(async ({ path }) => [path, await overlay.readFile(path)])));
}

describe("maintain", () => {
  test("frees what no head has, and only that", () =>
    withTree(async ({ store }) => {
      const old = await write(store, "/src/a", "old");
      await write(store, "/src/b", "shared");
      store.setHead("fork", store.head("main"));
      await write(store, "/src/a", "new");
      store.removeHead("fork");
      const done = await maintain(store, { graceMs: 0 });
      expect(done).toMatchObject({ contents: 1, bytes: 3, checkpoints: 0, objects: 0 });
      expect(done.nodes).toBeGreaterThan(2);
      expect(await readAll(store, store.head("main"))).toEqual({ "/src/a": "new", "/src/b": "shared" });
      expect(() => store.overlay(old)).toThrow(expect.objectContaining({ code: "tree-not-found" }));
      expect(await maintain(store, { graceMs: 0 })).toMatchObject({ contents: 0, nodes: 0 });
    }));

  test("keeps checkpoints, trees that are asked for, and contents within the grace period", () =>
    withTree(async ({ store, clock }) => {
      const first = await write(store, "/a", "first");
      store.checkpoint("main", "first");
      const second = await write(store, "/a", "second");
      const third = await write(store, "/a", "third");
      await write(store, "/a", "fourth");
      const done = await maintain(store, { graceMs: 0, keep: [second] });
      expect(done.contents).toBe(1);
      expect(await readAll(store, first)).toEqual({ "/a": "first" });
      expect(await readAll(store, second)).toEqual({ "/a": "second" });
      expect(() => store.manifest(third)).toThrow(expect.objectContaining({ code: "tree-not-found" }));
      expect((await maintain(store)).contents).toBe(0);
      clock.now += 3_600_000;
      expect((await maintain(store)).contents).toBe(1);
    }));

  test.each([
    ["by count", { maxCheckpoints: 2 }, ["c4", "c5"]],
    ["by age", { maxAgeMs: 35 }, ["c3", "c4", "c5"]],
    ["but for the newest", { maxAgeMs: 0, maxCheckpoints: 0 }, ["c5"]],
    ["not at all", {}, ["c1", "c2", "c3", "c4", "c5"]],
  ])("prunes the checkpoints of each head %s", (_, retention, kept) =>
    withTree(async ({ store, clock }) => {
      store.setHead("other", store.emptyTree);
      for (let count = 1; count <= 5; count++, clock.now += 10) {
        await write(store, "/a", `${count}`);
        store.checkpoint("main", `c${count}`);
        store.checkpoint("other", `c${count}`);
      }
      const done = await maintain(store, retention);
      expect(done.checkpoints).toBe(2 * (5 - kept.length));
      for (const head of ["main", "other"]) {
        expect(store.checkpoints(head).map(({ label }) => label)).toEqual(kept);
      }
      // A number is not used twice.
      expect(store.checkpoint("main", "next").id).toBe(6);
    }),
  );

  test("an open overlay keeps its tree and what it staged, until it is let go of", () =>
    withTree(async ({ store }) => {
      const tree = await write(store, "/a", "below");
      const overlay = store.overlay(tree);
      await overlay.writeFile("/b", "staged");
      await overlay.writeFileStream("/c", pieces("stored ", "at once"));
      const staged = await store.stage(overlay);
      await write(store, "/a", "above");
      expect(await maintain(store, { graceMs: 0 })).toMatchObject({ contents: 0, nodes: 0 });
      expect(await overlay.readFile("/a")).toBe("below");
      store.setHead("side", tree);
      store.commit("side", staged);
      expect(await readAll(store, store.head("side"))).toEqual({
        "/a": "below",
        "/b": "staged",
        "/c": "stored at once",
      });
      store.removeHead("side");
      expect((await maintain(store, { graceMs: 0 })).contents).toBe(0);
      overlay[Symbol.dispose]();
      expect((await maintain(store, { graceMs: 0 })).contents).toBe(3);
    }));

  test("a commit whose contents were let go of too early is refused, and nothing is torn", () =>
    withTree(async ({ store }) => {
      const overlay = store.overlay(store.head("main"));
      await overlay.writeFile("/a", "text");
      const staged = await store.stage(overlay);
      overlay[Symbol.dispose]();
      await maintain(store, { graceMs: 0 });
      const before = store.head("main");
      expect(() => store.commit("main", staged)).toThrow(expect.objectContaining({ code: "EIO" }));
      expect(store.head("main")).toBe(before);
      store.commit("main", await store.stage(overlay));
      expect(await readAll(store, store.head("main"))).toEqual({ "/a": "text" });
    }));

  test("commits that come while it runs lose nothing", () =>
    withTree(async ({ store }) => {
      for (let count = 0; count < 300; count++) await write(store, `/d${count % 7}/f${count}`, `text ${count % 90}`);
      const running = maintain(store, { graceMs: 0 });
      const trees: string[] = [];
      // Contents and nodes that were nobody's, and are somebody's again while the sweep is on its way to them.
      for (let count = 0; count < 60; count++) {
        await edit(store, (overlay) => overlay.rm(`/d${count % 7}`, { recursive: true, force: true }));
        trees.push(await write(store, `/d${count % 7}/f${count}`, `text ${(count * 7) % 90}`));
        if (count % 10 === 0) store.checkpoint("main", `${count}`);
      }
      await running;
      for (const { tree } of store.checkpoints("main")) await readAll(store, tree);
      expect(Object.keys(await readAll(store, store.head("main"))).length).toBeGreaterThan(0);
    }));

  test("a fork in the same store is one row, whatever the size", () =>
    withTree(async ({ store }) => {
      for (let count = 0; count < 300; count++) await write(store, `/d/${count}`, "x");
      const before = store.usage();
      store.setHead("fork", store.head("main"));
      expect({ ...store.usage(), database: before.database }).toEqual({ ...before, heads: before.heads + 1 });
    }));

  test("a second call joins the one that runs", () =>
    withTree(async ({ store }) => {
      const first = maintain(store, { graceMs: 0 });
      expect(maintain(store, { graceMs: 0 })).toBe(first);
      await first;
      const next = maintain(store);
      expect(next).not.toBe(first);
      await next;
    }));

  test("what a call that joins wants to keep stays", () =>
    withTree(async ({ store }) => {
      const old = await write(store, "/a", "old");
      await write(store, "/a", "new");
      await Promise.all([maintain(store, { graceMs: 0 }), maintain(store, { graceMs: 0, keep: [old] })]);
      expect(await readAll(store, old)).toEqual({ "/a": "old" });
      expect(await maintain(store, { graceMs: 0 })).toMatchObject({ contents: 1 });
    }));

  test("stops when it is told to", () =>
    withTree(async ({ store }) => {
      await write(store, "/a", "old");
      await write(store, "/a", "new");
      const reason = new Error("enough");
      await expect(maintain(store, { graceMs: 0, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      expect(await readAll(store, store.head("main"))).toEqual({ "/a": "new" });
    }));

  test("an upload that never ended leaves nothing", () =>
    withTree(async ({ store, storage }) => {
      const failing = async function* (): AsyncGenerator<Uint8Array> {
        yield new Uint8Array(3 * 1024 * 1024);
        throw new Error("gone");
      };
      using overlay = store.overlay(store.head("main"));
      await expect(overlay.writeFileStream("/a", failing())).rejects.toThrow("gone");
      expect(await overlay.exists("/a")).toBe(false);
      expect(storage.sql.exec("SELECT 1 FROM tenrec_blobs").toArray()).toEqual([]);
    }));
});

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}
