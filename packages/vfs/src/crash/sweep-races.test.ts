import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { maintain } from "../maintain.ts";
import { receiveTree } from "../receive-tree.ts";
import { TreeStore } from "../tree-store.ts";
import { withStorage } from "../with-store.ts";
import { copySource } from "./with-copied-source.ts";
import { MemoryBucket } from "./with-memory-bucket.ts";
import { createJournal } from "./with-run.ts";
import { someBytes } from "./with-scenarios.ts";
import { damages } from "./with-world.ts";

const bucket = { bucket: new MemoryBucket(), prefix: "object" };
const GARBAGE_DIRECTORIES = 3;

/** A store whose head is empty, and what it had before: a tree of which everything is still in the rows. */
async function withGarbage(run: (store: TreeStore, tree: string, check: () => Promise<void>) => Promise<void>) {
  await withStorage(async (storage) => {
    createJournal(storage);
    let clock = 0;
    const store = new TreeStore(storage, { now: () => ++clock });
    store.setHead("main", store.emptyTree);
    const tree = await commitGarbage(store);
    store.setHead("main", store.emptyTree);
    await run(store, tree, async () => expect(await damages(storage, bucket)).toEqual([]));
  });
}

async function commitGarbage(store: TreeStore, extra?: string): Promise<string> {
  using overlay = store.overlay(store.head("main"));
  for (let number = 0; number < GARBAGE_DIRECTORIES; number++) {
    await overlay.writeFile(`/${number}/deep/file`, `garbage ${number}`);
  }
  await overlay.writeFile("/file", "garbage");
  if (extra !== undefined) await overlay.writeFile(`/extra/${extra}`, extra);
  return store.commit("main", await store.stage(overlay)).tree;
}

const turns = [0, 1, 2, 3, 4, 5, 6];

describe("while a sweep is under way", () => {
  test.each(turns)(
    "what was written and is no head's any more is whole all the same: after %d turns",
    async (count) => {
      await withGarbage(async (store, _tree, check) => {
        const running = maintain(store, { graceMs: 0 });
        for (let turn = 0; turn < count; turn++) await setImmediate();
        const tree = await commitGarbage(store, "other");
        store.setHead("main", store.emptyTree);
        await running;
        await check();
        // It is there with all that is in it, or not at all.
        const isThere = await Promise.resolve().then(
          () => (store.setHead("again", tree), true),
          () => false,
        );
        if (isThere) await expect(store.overlay(tree).readFile("/1/deep/file")).resolves.toBe("garbage 1");
        await check();
      });
    },
  );

  test.each(turns)("a tree that is to be kept, and comes only now, stays: after %d turns", async (count) => {
    await withGarbage(async (store, tree, check) => {
      // Its directories go, its contents have time.
      await maintain(store);
      expect(() => store.overlay(tree)).toThrow(expect.objectContaining({ code: "tree-not-found" }));
      const running = maintain(store, { graceMs: 0, keep: [tree] });
      for (let turn = 0; turn < count; turn++) await setImmediate();
      expect(await commitGarbage(store)).toBe(tree);
      await running;
      await expect(store.overlay(tree).readFile("/file")).resolves.toBe("garbage");
      await check();
    });
  });

  test.each(turns)("a tree that is being received keeps the parts that were there: after %d turns", async (count) => {
    await withGarbage(async (store, _tree, check) => {
      const wanted = await commitGarbage(store, "new");
      const source = await copySource(store, wanted);
      // Nothing of it but directories of the garbage is left, which no head has.
      store.setHead("main", store.emptyTree);
      await maintain(store, { graceMs: 0 });
      await commitGarbage(store);
      store.setHead("main", store.emptyTree);
      const receiving = receiveTree(store, wanted, {
        ...source,
        contents: async (hashes) => {
          for (let turn = 0; turn < count; turn++) await setImmediate();
          return source.contents(hashes);
        },
      }).then(() => store.setHead("received", wanted));
      await setImmediate();
      await maintain(store, { graceMs: 0 });
      await receiving;
      await expect(store.overlay(wanted).readFile("/1/deep/file")).resolves.toBe("garbage 1");
      await check();
    });
  });

  test.each(turns)("a stream that arrives meanwhile loses nothing: after %d turns", async (count) => {
    await withGarbage(async (store, _tree, check) => {
      using overlay = store.overlay(store.head("main"));
      async function* pieces(): AsyncGenerator<Uint8Array> {
        for (let seed = 0; seed < 4; seed++) {
          for (let turn = 0; turn < count; turn++) await setImmediate();
          yield someBytes(seed, 700_000);
        }
      }
      const writing = overlay.writeFileStream("/stream", pieces());
      for (let time = 0; time < 4; time++) await maintain(store, { graceMs: 0 });
      await writing;
      await maintain(store, { graceMs: 0 });
      store.commit("main", await store.stage(overlay));
      await check();
    });
  });
});

test.each([0, 1])("a content whose row %d is gone is EIO, however it is read", async (part) => {
  await withStorage(async (storage) => {
    const store = new TreeStore(storage);
    store.setHead("main", store.emptyTree);
    using overlay = store.overlay(store.emptyTree);
    await overlay.writeFileBytes("/file", someBytes(1, 1_500_000));
    const { tree } = store.commit("main", await store.stage(overlay));
    storage.sql.exec("DELETE FROM tenrec_blobs WHERE part = ?", part);
    const reader = store.overlay(tree);
    const stream = async (): Promise<void> => {
      for await (const _ of reader.readFileStream("/file"));
    };
    for (const read of [
      reader.readFile("/file"),
      reader.readFileBytes("/file"),
      reader.readRange("/file", 0, 1_500_000),
      reader.appendFile("/file", "more"),
      stream(),
    ]) {
      await expect(read).rejects.toMatchObject({ code: "EIO" });
    }
  });
});
