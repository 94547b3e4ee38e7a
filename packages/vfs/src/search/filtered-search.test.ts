import type { GrepQuery } from "@tenrec/protocol";
import { describe, expect, test } from "vitest";
import type { Overlay } from "../overlay/overlay.ts";
import type { StorageLike } from "../sql.ts";
import { TreeStore } from "../tree-store.ts";
import { withStorage } from "../with-store.ts";
import { createSearch } from "./create-search.ts";

const FILES = 200;

interface Setup {
  readonly store: TreeStore;
  readonly storage: StorageLike;
  /** How many contents were asked for since the last call. */
  readonly reads: () => number;
}

function withFiles(run: (setup: Setup) => Promise<void>): Promise<void> {
  return withStorage(async (storage) => {
    let asked = 0;
    const sql: StorageLike["sql"] = {
      exec(query, ...bindings) {
        if (/SELECT (hash, )?data/.test(query)) {
          asked += typeof bindings[0] === "string" && bindings[0].startsWith("[") ? JSON.parse(bindings[0]).length : 1;
        }
        return storage.sql.exec(query, ...bindings);
      },
    };
    const store = new TreeStore({ sql, transactionSync: (work) => storage.transactionSync(work) });
    store.setHead("main", store.emptyTree);
    await edit(store, async (overlay) => {
      for (let n = 0; n < FILES; n++)
        await overlay.writeFile(`/src/f${n}.ts`, `export const value${n} = ${n};\n`.repeat(20));
      await overlay.writeFile("/src/found.ts", "before\nconst needleInHay = 1;\nafter\n");
      await overlay.writeFileBytes("/src/binary", new Uint8Array([...Buffer.from("needleInHay"), 0, 1]));
    });
    await run({
      store,
      storage,
      reads: () => {
        const count = asked;
        asked = 0;
        return count;
      },
    });
  });
}

async function edit(store: TreeStore, change: (overlay: Overlay) => Promise<void>): Promise<void> {
  using overlay = store.overlay(store.head("main"));
  await change(overlay);
  store.commit("main", await store.stage(overlay));
}

async function grep(store: TreeStore, query: GrepQuery): Promise<unknown[]> {
  using overlay = store.overlay(store.head("main"));
  return collect(createSearch(overlay).grep(query));
}

async function collect<T>(events: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const event of events) list.push(event);
  return list;
}

describe("a search after another one", () => {
  test.each<[string, GrepQuery]>([
    ["a word", { pattern: "needleInHay" }],
    ["plain text", { pattern: "needleInHay = 1;", literal: true }],
    ["a pattern with a text in it", { pattern: "const\\s+needleInHay\\b.*\\d" }],
    ["several patterns", { pattern: ["needleInHay", "neverThere"] }],
    ["names of files", { pattern: "needleInHay", report: "files" }],
    ["counts", { pattern: "needleInHay", report: "count" }],
    ["a match over lines", { pattern: "before\\nconst needleInHay", multiline: true }],
  ])("for %s gives the same and reads few files", (_, query) =>
    withFiles(async ({ store, reads }) => {
      reads();
      const first = await grep(store, query);
      expect(reads()).toBeGreaterThan(FILES);
      expect(await grep(store, query)).toEqual(first);
      expect(reads()).toBeLessThan(20);
      expect(JSON.stringify(first)).toContain("/src/found.ts");
    }),
  );

  test.each<[string, GrepQuery]>([
    ["what does not match", { pattern: "needleInHay", report: "files-without-match" }],
    ["other lines", { pattern: "needleInHay", invert: true, report: "count" }],
    ["any case", { pattern: "needleinhay", ignoreCase: true }],
    ["two letters", { pattern: "12" }],
  ])("for %s gives the same, and reads what it must", (_, query) =>
    withFiles(async ({ store, storage }) => {
      await grep(store, { pattern: "neverThere" });
      // A store that was just opened has learned nothing.
      expect(await grep(store, query)).toEqual(await grep(new TreeStore(storage), query));
    }),
  );

  test("sees what was written since, in the overlay and in the store", () =>
    withFiles(async ({ store }) => {
      await grep(store, { pattern: "freshlyWritten" });
      using overlay = store.overlay(store.head("main"));
      await overlay.writeFile("/src/f7.ts", "freshlyWritten\n");
      expect(JSON.stringify(await collect(createSearch(overlay).grep({ pattern: "freshlyWritten" })))).toContain(
        "/src/f7.ts",
      );
      store.commit("main", await store.stage(overlay));
      expect(JSON.stringify(await grep(store, { pattern: "freshlyWritten" }))).toContain("/src/f7.ts");
    }));
});

describe("a glob that is bound to a place", () => {
  test.each([
    ["src/deep/*.ts", ["/src/deep/a.ts"]],
    ["/src/deep/**", ["/src/deep/a.ts", "/src/deep/more", "/src/deep/more/b.ts"]],
    ["src/*/a.ts", ["/src/deep/a.ts"]],
    ["deep/", ["/src/deep"]],
    ["none/at/all/*.ts", []],
    ["src/hid/*.ts", []],
  ])("%s finds %j", (pattern, paths) =>
    withStorage(async (storage) => {
      const store = new TreeStore(storage);
      using overlay = store.overlay(store.emptyTree);
      for (const path of ["/src/deep/a.ts", "/src/deep/more/b.ts", "/src/hid/c.ts", "/other/deep.ts"]) {
        await overlay.writeFile(path, "x");
      }
      await overlay.writeFile("/.gitignore", "hid\n");
      const found = await collect(createSearch(overlay).glob({ pattern }));
      expect(found.flatMap((event) => (event.type === "entry" ? [event.path] : []))).toEqual(paths);
    }),
  );
});
