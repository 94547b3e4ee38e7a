import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { sqlCache } from "./sql-cache.ts";
import { checkCache } from "./with-cache-cases.ts";

function inObject(run: (storage: DurableObjectStorage) => Promise<void>): Promise<void> {
  const stub = env.TEST_OBJECT.get(env.TEST_OBJECT.newUniqueId());
  return runInDurableObject(stub, (_, { storage }) => run(storage as DurableObjectStorage));
}

describe("the cache in SQLite", () => {
  it("keeps what it is given, up to so many bytes", async () => {
    await inObject((storage) =>
      checkCache((maxBytes) => {
        storage.sql.exec("DROP TABLE IF EXISTS tenrec_package_cache");
        return sqlCache(storage, maxBytes);
      }, expect),
    );
  });

  it("has what was kept before, also when the limit is another one now", async () => {
    await inObject(async (storage) => {
      const cache = sqlCache(storage, 1000);
      for (const key of ["a", "b", "c"]) await cache.put(key, new Uint8Array(300));
      const smaller = sqlCache(storage, 600);
      expect(await smaller.get("b")).toHaveLength(300);
      await smaller.put("d", new Uint8Array(300));
      const kept = await Promise.all(["a", "b", "c", "d"].map(async (key) => (await smaller.get(key))?.length));
      expect(kept).toEqual([undefined, undefined, 300, 300]);
    });
  });

  it("lets go what was not used for long, not what was made first", async () => {
    await inObject(async (storage) => {
      const cache = sqlCache(storage, 10_000);
      for (let at = 0; at < 100; at += 1) await cache.put(String(at), new Uint8Array(100));
      expect(await cache.get("0")).toHaveLength(100);
      await cache.put("new", new Uint8Array(100));
      expect(await cache.get("0")).toHaveLength(100);
      expect(await cache.get("1")).toBeUndefined();
    });
  });

  it("goes on without what cannot be written", async () => {
    await inObject(async ({ sql, transactionSync }) => {
      const full = {
        sql,
        transactionSync: <T>(fn: () => T): T => {
          void [fn, transactionSync];
          throw new Error("database or disk is full: SQLITE_FULL");
        },
      };
      const cache = sqlCache(full, 1000);
      await cache.put("a", new Uint8Array(1));
      expect(await cache.get("a")).toBeUndefined();
    });
  });
});
