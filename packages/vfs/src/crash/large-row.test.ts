import { describe, expect, test } from "vitest";
import type { SqlBinding, SqlValue, StorageLike } from "../sql.ts";
import { TreeStore } from "../tree-store.ts";
import { withStorage } from "../with-store.ts";
import { MemoryBucket } from "./with-memory-bucket.ts";
import { createJournal } from "./with-run.ts";
import { damages, worldOf } from "./with-world.ts";

const bucket = { bucket: new MemoryBucket(), prefix: "object" };

/** With the limit of a deployed object, which a local workerd and node:sqlite have higher. */
function limitedStorage(storage: StorageLike): StorageLike {
  const sizeOf = (value: SqlBinding): number =>
    typeof value === "string" ? value.length : value instanceof Uint8Array ? value.byteLength : 0;
  return {
    sql: {
      exec<T extends Record<string, SqlValue>>(query: string, ...bindings: SqlBinding[]) {
        if (bindings.some((value) => sizeOf(value) > 2_000_000)) {
          throw new Error("string or blob too big: SQLITE_TOOBIG");
        }
        return storage.sql.exec<T>(query, ...bindings);
      },
    },
    transactionSync: (fn) => storage.transactionSync(fn),
  };
}

describe("a row that is too large", () => {
  test.each([
    ["a label of 2.2 MB", limitedStorage, async (store: TreeStore) => store.checkpoint("main", "x".repeat(2_200_000))],
    [
      "128 links in a directory, each byte of their targets six in its text",
      limitedStorage,
      async (store: TreeStore) => {
        using overlay = store.overlay(store.head("main"));
        for (let index = 0; index < 128; index++) await overlay.symlink("\u0001".repeat(4000), `/links/${index}`);
        store.commit("main", await store.stage(overlay));
      },
    ],
  ])("is EFBIG and changes nothing: %s", async (_name, limit, write) => {
    await withStorage(async (storage) => {
      createJournal(storage);
      const store = new TreeStore(limit(storage));
      store.setHead("main", store.emptyTree);
      const before = worldOf(storage);
      await expect(write(store)).rejects.toMatchObject({ code: "EFBIG", data: { limit: 2_000_000 } });
      expect([worldOf(storage), await damages(storage, bucket)]).toEqual([before, []]);
      store.checkpoint("main", "small");
      expect(store.checkpoints("main").map(({ label }) => label)).toEqual(["small"]);
    });
  });
});
