import { hasCode } from "@tenrec/protocol";
import { describe, expect, test } from "vitest";
import type { Overlay } from "./overlay/overlay.ts";
import type { StorageLike } from "./sql.ts";
import { TreeStore } from "./tree-store.ts";
import { withStorage } from "./with-store.ts";

type Edit = (overlay: Overlay) => Promise<void>;

async function commitEdit(store: TreeStore, edit: Edit, tree = store.head("main")) {
  const overlay = store.overlay(tree);
  await edit(overlay);
  return store.commit("main", await store.stage(overlay));
}

async function startWith(storage: StorageLike, files: Record<string, string>): Promise<TreeStore> {
  const store = new TreeStore(storage, { now: () => 1000 });
  store.setHead("main", store.emptyTree);
  await commitEdit(store, async (overlay) => {
    for (const [path, text] of Object.entries(files)) await overlay.writeFile(path, text);
  });
  return store;
}

function conflictsOf(run: () => unknown): readonly string[] {
  try {
    run();
  } catch (error) {
    if (hasCode(error, "tree-conflict")) return error.data.paths;
    throw error;
  }
  return [];
}

describe("commit", () => {
  test("says what it did, and does not see what was written after staging", () =>
    withStorage(async (storage) => {
      const store = await startWith(storage, { "/a": "1", "/b": "1" });
      const before = store.head("main");
      const overlay = store.overlay(before);
      await overlay.writeFile("/a", "2");
      await overlay.rm("/b");
      await overlay.writeFile("/new/c", "3");
      await overlay.appendFile("/new/c", "4");
      const staged = await store.stage(overlay);
      await overlay.appendFile("/new/c", "late");
      await overlay.writeFile("/later", "x");
      const done = store.commit("main", staged);
      expect(done.changes.map(({ path, change }) => [path, change])).toEqual([
        ["/a", "modify"],
        ["/b", "delete"],
        ["/new/c", "create"],
      ]);
      expect(done).toMatchObject({ head: "main", before, tree: store.head("main"), at: 1000 });
      expect(store.changes(before, done.tree)).toEqual(done.changes);
      const reopened = new TreeStore(storage).overlay(done.tree);
      expect(await reopened.readFile("/new/c")).toBe("34");
      expect(await reopened.exists("/later")).toBe(false);
    }));

  test("runs the caller's rows inside, and takes everything back when they throw", () =>
    withStorage(async (storage) => {
      const store = await startWith(storage, { "/a": "1" });
      storage.sql.exec("CREATE TABLE note (text TEXT)");
      const notes = () => storage.sql.exec("SELECT text FROM note").toArray();
      const before = store.head("main");
      const overlay = store.overlay(before);
      await overlay.writeFile("/a", "2");
      const staged = await store.stage(overlay);
      const nodes = store.usage().nodes;
      const failing = () =>
        store.commit("main", staged, () => {
          storage.sql.exec("INSERT INTO note VALUES ('lost')");
          throw new Error("no");
        });
      expect(failing).toThrow("no");
      expect([notes(), store.head("main"), store.usage().nodes]).toEqual([[], before, nodes]);
      const done = store.commit("main", staged, ({ tree }) => storage.sql.exec("INSERT INTO note VALUES (?)", tree));
      expect(notes()).toEqual([{ text: done.tree }]);
      expect(await new TreeStore(storage).overlay(store.head("main")).readFile("/a")).toBe("2");
    }));

  test("what was not staged is refused", () =>
    withStorage(async (storage) => {
      const store = await startWith(storage, { "/a": "1" });
      const overlay = store.overlay(store.head("main"));
      await overlay.writeFile("/a", "2");
      const staging = store.stage(overlay);
      for (const wrong of [undefined, {}, overlay, staging]) {
        const commit = () => store.commit("main", wrong as never);
        expect(commit).toThrow(expect.objectContaining({ code: "request-invalid" }));
      }
      expect(store.head("main")).toBe(overlay.tree);
      expect(store.commit("main", await staging).changes.length).toBe(1);
    }));

  test("refuses rows that are not synchronous, and takes everything back", () =>
    withStorage(async (storage) => {
      const store = await startWith(storage, { "/a": "1" });
      storage.sql.exec("CREATE TABLE note (text TEXT)");
      const before = store.head("main");
      const overlay = store.overlay(before);
      await overlay.writeFile("/a", "2");
      const staged = await store.stage(overlay);
      const late = () =>
        // oxlint-disable-next-line typescript/no-misused-promises -- the misuse that is tested
        store.commit("main", staged, async () => {
          storage.sql.exec("INSERT INTO note VALUES ('lost')");
          throw new Error("must not be an unhandled rejection");
        });
      expect(late).toThrow(expect.objectContaining({ code: "request-invalid" }));
      expect(store.head("main")).toBe(before);
      expect(storage.sql.exec("SELECT text FROM note").toArray()).toEqual([]);
    }));

  test("the same content in another order of calls is the same tree, at any time", () =>
    withStorage(async (storage) => {
      let at = 1;
      const store = new TreeStore(storage, { now: () => at++ });
      const trees = [];
      for (const names of [
        ["a", "b", "c"],
        ["c", "a", "b"],
      ]) {
        store.setHead("main", store.emptyTree);
        for (const name of names) await commitEdit(store, (overlay) => overlay.writeFile(`/d/${name}`, name));
        trees.push(store.head("main"));
      }
      expect(trees[0]).toBe(trees[1]);
    }));

  test("a directory that took the place of another, and was changed there", () =>
    withStorage(async (storage) => {
      const store = await startWith(storage, {
        "/a/x": "1",
        "/a/same": "s",
        "/b/y": "2",
        "/b/same": "s",
        "/b/d/z": "3",
      });
      const { before, tree, changes } = await commitEdit(store, async (overlay) => {
        await overlay.rm("/a", { recursive: true });
        await overlay.mv("/b", "/a");
        await overlay.writeFile("/a/new", "4");
      });
      expect(changes.map(({ path, change }) => `${change} ${path}`)).toEqual([
        "create /a/d/z",
        "create /a/new",
        "delete /a/x",
        "create /a/y",
        "delete /b/d/z",
        "delete /b/same",
        "delete /b/y",
      ]);
      expect(store.changes(before, tree)).toEqual(changes);
      expect(store.manifest(tree).map(({ path }) => path)).toEqual([
        "/a",
        "/a/d",
        "/a/d/z",
        "/a/new",
        "/a/same",
        "/a/y",
      ]);
    }));

  test("an unknown head is refused, and a tree that is not stored", () =>
    withStorage(async (storage) => {
      const store = new TreeStore(storage);
      const staged = await store.stage(store.overlay(store.emptyTree));
      const unknown = expect.objectContaining({ code: "tree-not-found" });
      expect(() => store.commit("none", staged)).toThrow(unknown);
      expect(() => store.head("none")).toThrow(unknown);
      expect(() => store.setHead("main", "0".repeat(64))).toThrow(unknown);
      expect(() => store.overlay("0".repeat(64))).toThrow(unknown);
    }));
});

// What one overlay does (mine) while another one, opened on the same tree, is committed before it (theirs).
const MERGES: [name: string, theirs: Edit, mine: Edit, conflicts: string[], paths?: string[]][] = [
  ["different files", (o) => o.writeFile("/a", "2"), (o) => o.writeFile("/b", "2"), []],
  ["different files of a directory", (o) => o.writeFile("/d/x", "2"), (o) => o.writeFile("/d/z", "2"), []],
  ["the same file", (o) => o.writeFile("/a", "2"), (o) => o.writeFile("/a", "3"), ["/a"]],
  ["the same change", (o) => o.writeFile("/a", "2"), (o) => o.writeFile("/a", "2"), []],
  ["both create", (o) => o.writeFile("/n", "2"), (o) => o.writeFile("/n", "3"), ["/n"]],
  ["both make a directory", (o) => o.writeFile("/n/a", "2"), (o) => o.writeFile("/n/b", "3"), []],
  ["a file and a directory", (o) => o.writeFile("/n", "2"), (o) => o.writeFile("/n/b", "3"), ["/n", "/n/b"]],
  ["delete and change", (o) => o.rm("/a"), (o) => o.writeFile("/a", "3"), ["/a"]],
  ["change and delete", (o) => o.writeFile("/a", "3"), (o) => o.rm("/a"), ["/a"]],
  ["both delete", (o) => o.rm("/a"), (o) => o.rm("/a"), []],
  ["mode and content", (o) => o.chmod("/a", 0o755), (o) => o.writeFile("/a", "3"), ["/a"]],
  [
    "a directory goes, a file in it changes",
    (o) => o.rm("/d", { recursive: true }),
    (o) => o.writeFile("/d/x", "3"),
    ["/d/x"],
  ],
  [
    "a directory goes, a file in it is made",
    (o) => o.rm("/d", { recursive: true }),
    (o) => o.writeFile("/d/n", "3"),
    ["/d/n"],
  ],
  [
    "a file in a directory is made, it goes",
    (o) => o.writeFile("/d/n", "3"),
    (o) => o.rm("/d", { recursive: true }),
    ["/d/n"],
  ],
  [
    "a file in a directory changes, it goes",
    (o) => o.writeFile("/d/x", "3"),
    (o) => o.rm("/d", { recursive: true }),
    ["/d/x"],
  ],
  ["a directory goes, a file in it goes", (o) => o.rm("/d", { recursive: true }), (o) => o.rm("/d/x"), []],
  ["a file in a directory goes, it goes", (o) => o.rm("/d/x"), (o) => o.rm("/d", { recursive: true }), []],
  ["a directory moves, a file in it changes", (o) => o.mv("/d", "/e"), (o) => o.writeFile("/d/x", "3"), ["/d/x"]],
  ["a file in a directory changes, it moves", (o) => o.writeFile("/d/x", "3"), (o) => o.mv("/d", "/e"), ["/d/x"]],
  [
    "a directory becomes a file, one is made in it",
    async (o) => {
      await o.rm("/d", { recursive: true });
      await o.writeFile("/d", "f");
    },
    (o) => o.writeFile("/d/n", "3"),
    ["/d/n"],
  ],
];

describe("two overlays of one tree", () => {
  test.each(MERGES)("%s", (_, theirs, mine, conflicts) =>
    withStorage(async (storage) => {
      const store = await startWith(storage, { "/a": "1", "/b": "1", "/d/x": "1", "/d/y": "1" });
      const base = store.head("main");
      const late = store.overlay(base);
      await mine(late);
      await commitEdit(store, theirs);
      const between = store.head("main");
      const { rows } = store.usage().nodes;
      const staged = await store.stage(late);
      expect(conflictsOf(() => store.commit("main", staged))).toEqual(conflicts);
      // A merge keeps what the other one did; a conflict leaves everything as it was.
      const merged = new Map(store.manifest(store.head("main")).map(({ path, hash }) => [path, hash]));
      const kept = store.changes(base, between).map(({ path }) => [path, merged.get(path)]);
      expect(kept).toEqual(store.changes(base, between).map(({ path, after }) => [path, after]));
      const untouched = store.head("main") === between && store.usage().nodes.rows === rows;
      expect(untouched || conflicts.length === 0).toBe(true);
    }),
  );
});
