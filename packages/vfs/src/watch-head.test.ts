import { describe, expect, test } from "vitest";
import { TreeStore } from "./tree-store.ts";
import { type HeadMove, watchHead } from "./watch-head.ts";
import { withStorage } from "./with-store.ts";

async function write(store: TreeStore, path: string, text: string): Promise<string> {
  using overlay = store.overlay(store.head("main"));
  await overlay.writeFile(path, text);
  return store.commit("main", await store.stage(overlay)).tree;
}

function withMain(run: (store: TreeStore) => Promise<void>): Promise<void> {
  return withStorage(async (storage) => {
    const store = new TreeStore(storage);
    store.setHead("main", store.emptyTree);
    await run(store);
  });
}

describe("watchHead", () => {
  test("gives every move to who keeps up", () =>
    withMain(async (store) => {
      const moves = watchHead(store, "main");
      for (const [path, text] of [
        ["/a", "1"],
        ["/b", "2"],
        ["/a", "3"],
      ] as const) {
        const next = moves.next();
        const before = store.head("main");
        const tree = await write(store, path, text);
        expect((await next).value).toMatchObject({ head: "main", before, tree, changes: [{ path }] });
      }
    }));

  test("gives what differs to who does not, and what happened before to who says what was seen", () =>
    withMain(async (store) => {
      const seen = await write(store, "/a", "1");
      await write(store, "/b", "2");
      await write(store, "/c", "3");
      await write(store, "/b", "4");
      const moves = watchHead(store, "main", { after: seen });
      const { value } = await moves.next();
      expect(value).toMatchObject({ before: seen, tree: store.head("main") });
      expect((value as HeadMove).changes.map(({ path }) => path)).toEqual(["/b", "/c"]);
    }));

  test("sees a revert, and a head that is set", () =>
    withMain(async (store) => {
      const first = await write(store, "/a", "1");
      const second = await write(store, "/a", "2");
      const moves = watchHead(store, "main");
      let next = moves.next();
      const rows: string[] = [];
      expect(store.revert("main", first, ({ tree }) => rows.push(tree))).toMatchObject({ before: second, tree: first });
      expect(rows).toEqual([first]);
      expect((await next).value).toMatchObject({ before: second, tree: first });
      next = moves.next();
      store.setHead("main", second);
      expect((await next).value).toMatchObject({ before: first, tree: second });
    }));

  test("says nothing of a commit that was rolled back", () =>
    withMain(async (store) => {
      const moves = watchHead(store, "main");
      const next = moves.next();
      using overlay = store.overlay(store.head("main"));
      await overlay.writeFile("/lost", "x");
      const staged = await store.stage(overlay);
      const fail = (): never => {
        throw new Error("no");
      };
      expect(() => store.commit("main", staged, fail)).toThrow("no");
      const tree = await write(store, "/kept", "y");
      expect((await next).value).toMatchObject({ tree, changes: [{ path: "/kept" }] });
    }));

  test("ends with the head, and with the signal", () =>
    withMain(async (store) => {
      const next = watchHead(store, "main").next();
      store.setHead("other", store.emptyTree);
      const abort = new AbortController();
      const other = watchHead(store, "other", { signal: abort.signal }).next();
      store.removeHead("main");
      expect(await next).toEqual({ done: true, value: undefined });
      abort.abort(new Error("enough"));
      await expect(other).rejects.toThrow("enough");
      await expect(watchHead(store, "none").next()).rejects.toMatchObject({ code: "tree-not-found" });
    }));
});
