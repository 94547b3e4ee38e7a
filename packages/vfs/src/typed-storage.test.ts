import { describe, expect, test } from "vitest";
import type { StorageLike } from "./sql.ts";
import { TreeStore } from "./tree-store.ts";
import { typedStorage } from "./typed-storage.ts";
import { withStorage } from "./with-store.ts";

function failing(storage: StorageLike, message: string, when: (query: string) => boolean): StorageLike {
  return {
    sql: {
      exec: (query, ...bindings) => {
        if (when(query)) throw new Error(message);
        return storage.sql.exec(query, ...bindings);
      },
    },
    transactionSync: (fn) => storage.transactionSync(fn),
  };
}

describe("the limits of a database", () => {
  test("a row that is too large is EFBIG, and nothing changed", () =>
    withStorage(async (storage) => {
      storage.sql.exec("CREATE TABLE wide (text TEXT)");
      const typed = typedStorage(storage);
      expect(() => typed.sql.exec("INSERT INTO wide VALUES (zeroblob(2000000000))")).toThrow(
        expect.objectContaining({ code: "EFBIG" }),
      );
      expect(storage.sql.exec("SELECT 1 FROM wide").toArray()).toEqual([]);
    }));

  test.each([
    ["database or disk is full: SQLITE_FULL", "ENOSPC"],
    ["string or blob too big: SQLITE_TOOBIG", "EFBIG"],
  ])("%s is %s, and the tree is as before", (message, code) =>
    withStorage(async (storage) => {
      const good = new TreeStore(storage);
      good.setHead("main", good.emptyTree);
      const store = new TreeStore(failing(storage, message, (query) => query.includes("INTO tenrec_nodes")));
      using overlay = store.overlay(store.head("main"));
      await overlay.writeFile("/a", "x");
      const staged = await store.stage(overlay);
      let rows = 0;
      expect(() => store.commit("main", staged, () => void rows++)).toThrow(expect.objectContaining({ code }));
      expect(rows).toBe(0);
      expect(good.head("main")).toBe(good.emptyTree);
    }),
  );

  test("another error is passed on as it is", () =>
    withStorage(async (storage) => {
      expect(() => typedStorage(storage).sql.exec("SELECT nonsense")).toThrow(/nonsense/);
    }));
});
