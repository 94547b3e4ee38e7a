import { describe, expect, test } from "vitest";
import type { SqlBinding, SqlValue, StorageLike } from "../sql.ts";
import { TreeStore } from "../tree-store.ts";
import { withStorage } from "../with-store.ts";
import { createJournal } from "./with-run.ts";
import { someBytes } from "./with-scenarios.ts";
import { MemoryBucket } from "./with-memory-bucket.ts";
import { damages, worldOf } from "./with-world.ts";

/** A storage that is full at one statement or at one commit, as SQLite says it. */
function fullStorage(storage: StorageLike) {
  let left = Number.POSITIVE_INFINITY;
  const tick = (): void => {
    if (--left < 0) throw new Error("database or disk is full: SQLITE_FULL");
  };
  return {
    /** Full from the `count`-th write from now on. */
    fillAfter: (count: number) => (left = count),
    isFull: () => left < 0,
    sql: {
      databaseSize: 10_000_000_000,
      exec<T extends Record<string, SqlValue>>(query: string, ...bindings: SqlBinding[]) {
        if (/^\s*(INSERT|UPDATE)/i.test(query)) tick();
        return storage.sql.exec<T>(query, ...bindings);
      },
    },
    transactionSync<T>(fn: () => T): T {
      return storage.transactionSync(() => {
        const result = fn();
        tick();
        return result;
      });
    },
  };
}

const bucket = { bucket: new MemoryBucket(), prefix: "object" };

async function firstCommit(store: TreeStore): Promise<void> {
  store.setHead("main", store.emptyTree);
  using overlay = store.overlay(store.emptyTree);
  await overlay.writeFile("/kept.txt", "kept");
  store.commit("main", await store.stage(overlay));
}

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (let seed = 0; seed < 5; seed++) yield someBytes(seed, 700_000);
}

describe("a full storage", () => {
  const writes = {
    "a commit with rows": async (store: TreeStore, storage: StorageLike) => {
      using overlay = store.overlay(store.head("main"));
      await overlay.writeFile("/dir/new.txt", "new");
      await overlay.writeFileBytes("/dir/large", someBytes(7, 2_500_000));
      const staged = await store.stage(overlay);
      store.commit("main", staged, ({ head, tree }) => {
        storage.sql.exec("INSERT INTO journal (head, tree) VALUES (?, ?)", head, tree);
      });
    },
    "a stream": async (store: TreeStore) => {
      using overlay = store.overlay(store.head("main"));
      await overlay.writeFileStream("/stream", pieces());
      store.commit("main", await store.stage(overlay));
    },
    "a fork": async (store: TreeStore) => store.setHead("fork", store.head("main")),
    "a checkpoint": async (store: TreeStore) => store.checkpoint("main", "kept"),
  };

  test.each(Object.entries(writes))("at any write of %s is ENOSPC and changes nothing", async (_name, write) => {
    await withStorage(async (real) => {
      createJournal(real);
      const storage = fullStorage(real);
      const store = new TreeStore(storage);
      await firstCommit(store);
      const before = worldOf(real);
      let failed = 0;
      for (let count = 0; ; count++) {
        storage.fillAfter(count);
        const error = await write(store, storage).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        storage.fillAfter(Number.POSITIVE_INFINITY);
        if (error === undefined) break;
        failed++;
        expect(error).toMatchObject({ code: "ENOSPC", data: { used: 10_000_000_000 } });
        expect([worldOf(real), await damages(real, bucket)]).toEqual([before, []]);
      }
      expect(failed).toBeGreaterThan(0);
      expect(worldOf(real)).not.toBe(before);
      expect(await damages(real, bucket)).toEqual([]);
    });
  });
});
