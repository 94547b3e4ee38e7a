import { describe, expect, test } from "vitest";
import type { Bucket } from "./bucket.ts";
import { maintain } from "./maintain.ts";
import type { Overlay } from "./overlay/overlay.ts";
import { sha256 } from "./sha256.ts";
import type { StorageLike } from "./sql.ts";
import { TreeStore } from "./tree-store.ts";
import { openBucket } from "./with-bucket.ts";
import { withStorage } from "./with-store.ts";

const MEBIBYTE = 1024 * 1024;

/** Bytes that differ everywhere, so that a piece in the wrong place shows. */
function pattern(length: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0, value = seed; at < length; at++) bytes[at] = value = (value * 73 + 41 + (at >> 8)) & 255;
  return bytes;
}

interface Setup {
  readonly store: TreeStore;
  readonly storage: StorageLike;
  readonly bucket: Bucket;
  readonly keys: () => Promise<string[]>;
  readonly reopen: (bucket?: Bucket) => TreeStore;
}

function withSpill(files: Record<string, Uint8Array>, run: (setup: Setup) => Promise<void>): Promise<void> {
  return withStorage(async (storage) => {
    const { bucket, keys } = await openBucket();
    const reopen = (used: Bucket = bucket): TreeStore =>
      new TreeStore(storage, { bucket: { bucket: used, prefix: "object", threshold: 2 * MEBIBYTE, timeoutMs: 50 } });
    const store = reopen();
    store.setHead("main", store.emptyTree);
    await edit(store, async (overlay) => {
      for (const [path, bytes] of Object.entries(files)) await overlay.writeFileBytes(path, bytes);
    });
    await maintain(store);
    await run({ store, storage, bucket, keys, reopen });
  });
}

async function edit(store: TreeStore, change: (overlay: Overlay) => Promise<void>): Promise<string> {
  using overlay = store.overlay(store.head("main"));
  await change(overlay);
  return store.commit("main", await store.stage(overlay)).tree;
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const list: Uint8Array[] = [];
  for await (const piece of pieces) {
    expect(piece.length).toBeLessThanOrEqual(MEBIBYTE);
    list.push(piece.slice());
  }
  return new Uint8Array(Buffer.concat(list));
}

describe("contents in the bucket", () => {
  const files = {
    "/at": pattern(2 * MEBIBYTE),
    "/above": pattern(2 * MEBIBYTE + 1),
    "/large": pattern(9 * MEBIBYTE + 5),
  };

  test("those above the threshold move there, under the prefix and the hash", () =>
    withSpill(files, async ({ store, keys, storage }) => {
      const wanted = [files["/above"], files["/large"]].map((bytes) => `object/${sha256(bytes)}-`);
      const there = await keys();
      expect(there.map((key) => key.slice(0, -8)).sort()).toEqual(wanted.sort());
      expect(store.usage()).toMatchObject({
        blobs: { rows: 2, bytes: 2 * MEBIBYTE },
        bucket: { objects: 2, bytes: 11 * MEBIBYTE + 6 },
        leftObjects: 0,
      });
      expect(storage.sql.exec("SELECT 1 FROM tenrec_bucket_keys").toArray()).toEqual([]);
    }));

  test(
    "they read as before: whole, as text, in parts and as a stream, also over the borders of parts",
    { timeout: 20_000 },
    () =>
      withSpill(files, async ({ reopen }) => {
        const store = reopen();
        const overlay = store.overlay(store.head("main"));
        for (const [path, bytes] of Object.entries(files)) {
          expect(sha256(await overlay.readFileBytes(path))).toBe(sha256(bytes));
          expect(sha256(await collect(overlay.readFileStream(path)))).toBe(sha256(bytes));
          expect((await overlay.readFile(path)).length).toBe(
            new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes).length,
          );
        }
        for (const [offset, length] of [
          [0, 3],
          [MEBIBYTE - 1, 2],
          [9 * MEBIBYTE, 100],
          [9 * MEBIBYTE + 5, 1],
          [7, 0],
        ] as const) {
          const range = await overlay.readRange("/large", offset, length);
          expect(Buffer.compare(range, files["/large"].subarray(offset, offset + length))).toBe(0);
        }
      }),
  );

  test("writing the same content again stores nothing, and a copy, a move and a new mode need no content", () =>
    withSpill(files, async ({ store, keys }) => {
      const before = await keys();
      await edit(store, async (overlay) => {
        await overlay.writeFileBytes("/again", files["/large"]);
        await overlay.cp("/above", "/copy");
        await overlay.mv("/large", "/moved");
        await overlay.chmod("/moved", 0o600);
      });
      await maintain(store);
      expect(await keys()).toEqual(before);
      const overlay = store.overlay(store.head("main"));
      expect(sha256(await overlay.readFileBytes("/moved"))).toBe(sha256(files["/large"]));
      expect(await overlay.exists("/large")).toBe(false);
    }));

  test("an append reads what is there, whatever was written meanwhile", () =>
    withSpill(files, async ({ store }) => {
      const overlay = store.overlay(store.head("main"));
      await overlay.appendFile("/large", "end");
      expect(sha256(await overlay.readFileBytes("/large"))).toBe(
        sha256(Buffer.concat([files["/large"], Buffer.from("end")])),
      );
      const late = overlay.appendFile("/above", "late");
      await overlay.writeFile("/above", "new ");
      await late;
      expect(await overlay.readFile("/above")).toBe("new late");
    }));

  test("a diff reads them", () =>
    withSpill(files, async ({ store }) => {
      const before = store.head("main");
      const after = await edit(store, (overlay) => overlay.writeFile("/above", "short"));
      expect((await store.diff(before, after)).map(({ path, change }) => [path, change])).toEqual([
        ["/above", "modify"],
      ]);
    }));

  test("what nothing refers to any more leaves the bucket", () =>
    withSpill(files, async ({ store, keys }) => {
      await edit(store, (overlay) => overlay.writeFile("/large", "short"));
      expect((await maintain(store, { graceMs: 0 })).objects).toBe(1);
      expect((await keys()).length).toBe(1);
      store.removeHead("main");
      const done = await maintain(store, { graceMs: 0 });
      expect(done).toMatchObject({ contents: 3, objects: 1 });
      expect(await keys()).toEqual([]);
      expect(store.usage()).toMatchObject({ blobs: { rows: 0 }, nodes: { rows: 0 }, bucket: { objects: 0 } });
    }));
});

type Fault = (bucket: Bucket) => Partial<Bucket>;

const FAULTS: Record<string, { fault: Fault; code: string }> = {
  "that fails": { fault: () => ({ get: () => Promise.reject(new Error("500")) }), code: "EIO" },
  "that does not answer": { fault: () => ({ get: () => new Promise(() => {}) }), code: "timeout" },
  "that lost the object": { fault: () => ({ get: async () => null }), code: "EIO" },
  "that has something else": {
    fault: (bucket) => ({ get: async (key) => bucket.get(key, { range: { offset: 0, length: 10 } }) }),
    code: "EIO",
  },
};

function spoil(bucket: Bucket, fault: Fault): Bucket {
  const whole: Bucket = {
    get: (key, options) => bucket.get(key, options),
    put: (key, value) => bucket.put(key, value),
    createMultipartUpload: (key) => bucket.createMultipartUpload(key),
    resumeMultipartUpload: (key, id) => bucket.resumeMultipartUpload(key, id),
    delete: (keys) => bucket.delete(keys),
  };
  return { ...whole, ...fault(bucket) };
}

describe("a bucket", () => {
  test.each(Object.entries(FAULTS))("%s is an error, never an empty file", (_, { fault, code }) =>
    withStorage(async (storage) => {
      const { bucket } = await openBucket();
      const open = (used: Bucket): TreeStore =>
        new TreeStore(storage, { bucket: { bucket: used, prefix: "o", threshold: MEBIBYTE, timeoutMs: 50 } });
      const store = open(bucket);
      store.setHead("main", store.emptyTree);
      const content = pattern(2 * MEBIBYTE);
      await edit(store, (overlay) => overlay.writeFileBytes("/a", content));
      await maintain(store);
      const broken = open(spoil(bucket, fault));
      const overlay = broken.overlay(broken.head("main"));
      await expect(overlay.readFile("/a")).rejects.toMatchObject({ code });
      await expect(overlay.readFileBytes("/a")).rejects.toMatchObject({ code });
      await expect(overlay.readRange("/a", 5, 100)).rejects.toMatchObject({ code });
      await expect(collect(overlay.readFileStream("/a"))).rejects.toMatchObject({ code });
      await expect(overlay.appendFile("/a", "x")).rejects.toMatchObject({ code });
      const healed = open(bucket);
      expect(sha256(await healed.overlay(healed.head("main")).readFileBytes("/a"))).toBe(sha256(content));
    }),
  );

  test("that fails once is asked again", () =>
    withStorage(async (storage) => {
      const { bucket } = await openBucket();
      let failures = 0;
      const flaky = (): Bucket =>
        spoil(bucket, (real) => ({
          get: (key, options) => (failures++ === 0 ? Promise.reject(new Error("500")) : real.get(key, options)),
          put: (key, value) => (failures++ === 0 ? Promise.reject(new Error("500")) : real.put(key, value)),
        }));
      const store = new TreeStore(storage, { bucket: { bucket: flaky(), prefix: "o", threshold: MEBIBYTE } });
      store.setHead("main", store.emptyTree);
      await edit(store, (overlay) => overlay.writeFileBytes("/a", pattern(2 * MEBIBYTE)));
      expect((await maintain(store)).spilled).toEqual({ contents: 1, bytes: 2 * MEBIBYTE });
      failures = 0;
      expect((await store.overlay(store.head("main")).readFileBytes("/a")).length).toBe(2 * MEBIBYTE);
    }));

  test("that cannot be written leaves contents where they are, and the next maintenance moves them", () =>
    withStorage(async (storage) => {
      const { bucket, keys } = await openBucket();
      const open = (used: Bucket): TreeStore =>
        new TreeStore(storage, { bucket: { bucket: used, prefix: "o", threshold: MEBIBYTE, timeoutMs: 50 } });
      const broken = open(spoil(bucket, () => ({ put: () => Promise.reject(new Error("500")) })));
      broken.setHead("main", broken.emptyTree);
      const content = pattern(2 * MEBIBYTE);
      await edit(broken, (overlay) => overlay.writeFileBytes("/a", content));
      await expect(maintain(broken)).rejects.toMatchObject({ code: "EIO" });
      expect(sha256(await broken.overlay(broken.head("main")).readFileBytes("/a"))).toBe(sha256(content));
      const store = open(bucket);
      expect((await maintain(store)).spilled.contents).toBe(1);
      expect((await keys()).length).toBe(1);
      // What failed may have taken effect, or do so yet.
      expect(store.usage().leftObjects).toBe(1);
      await maintain(store, { graceMs: 0 });
      expect(store.usage().leftObjects).toBe(0);
      expect((await keys()).length).toBe(1);
    }));

  test("that lost an object gets it again when the same content is written", () =>
    withSpill({ "/a": pattern(3 * MEBIBYTE) }, async ({ reopen, bucket, keys, store }) => {
      await bucket.delete(await keys());
      const lost = reopen();
      await expect(lost.overlay(lost.head("main")).readFileBytes("/a")).rejects.toMatchObject({ code: "EIO" });
      await edit(store, async (overlay) => {
        await overlay.writeFileBytes("/b", pattern(3 * MEBIBYTE));
      });
      const overlay = store.overlay(store.head("main"));
      expect(sha256(await overlay.readFileBytes("/a"))).toBe(sha256(pattern(3 * MEBIBYTE)));
    }));

  test("that is not configured is an error that says so", () =>
    withSpill({ "/a": pattern(3 * MEBIBYTE) }, async ({ storage }) => {
      const store = new TreeStore(storage);
      await expect(store.overlay(store.head("main")).readFile("/a")).rejects.toThrow(
        /is in a bucket, and none is configured/,
      );
    }));
});
