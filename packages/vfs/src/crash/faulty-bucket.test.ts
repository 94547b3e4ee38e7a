import { describe, expect, test } from "vitest";
import type { Bucket, BucketObject, BucketOptions } from "../bucket.ts";
import { maintain } from "../maintain.ts";
import { sha256 } from "../sha256.ts";
import type { StorageLike } from "../sql.ts";
import { TreeStore } from "../tree-store.ts";
import { withStorage } from "../with-store.ts";
import { MemoryBucket, memoryObject } from "./with-memory-bucket.ts";
import { createJournal } from "./with-run.ts";
import { someBytes } from "./with-scenarios.ts";
import { damages, orphans } from "./with-world.ts";

const MEBIBYTE = 1024 * 1024;
const THRESHOLD = MEBIBYTE;
/** Of one object, and of one that is uploaded in parts. */
const sizes = { put: MEBIBYTE + 50, parts: 8 * MEBIBYTE + 50 };
const contents = { [sizes.put]: someBytes(1, sizes.put), [sizes.parts]: someBytes(2, sizes.parts) };

type Method = "get" | "put" | "create" | "uploadPart" | "complete" | "delete";
/** What happens instead of a call. */
type Fault = <T>(call: () => Promise<T>, name: Method) => Promise<T>;

/** The bucket, of which one method can fail for a while. */
class FaultyBucket implements Bucket {
  readonly real = new MemoryBucket();
  #broken: { method: Method; fault: Fault; times: number } | undefined;
  failures = 0;

  break(method: Method, fault: Fault, times = Number.POSITIVE_INFINITY): void {
    this.#broken = { method, fault, times };
    this.failures = 0;
  }

  heal(): void {
    this.#broken = undefined;
  }

  #call<T>(name: Method, call: () => Promise<T>): Promise<T> {
    if (this.#broken?.method !== name || this.failures >= this.#broken.times) return call();
    this.failures++;
    return this.#broken.fault(call, name);
  }

  get(key: string, options?: { range: { offset: number; length: number } }) {
    return this.#call("get", (): Promise<BucketObject | null> => this.real.get(key, options));
  }

  put(key: string, value: Uint8Array) {
    return this.#call("put", () => this.real.put(key, value));
  }

  async createMultipartUpload(key: string) {
    const made = await this.#call("create", () => this.real.createMultipartUpload(key));
    return this.resumeMultipartUpload(key, made.uploadId);
  }

  resumeMultipartUpload(key: string, uploadId: string): ReturnType<Bucket["resumeMultipartUpload"]> {
    const made = this.real.resumeMultipartUpload(key, uploadId);
    return {
      uploadId,
      uploadPart: (number, value) => this.#call("uploadPart", () => made.uploadPart(number, value)),
      complete: (parts) => this.#call("complete", () => made.complete(parts)),
      abort: () => made.abort(),
    };
  }

  delete(keys: string[]) {
    return this.#call("delete", () => this.real.delete(keys));
  }
}

const answers500: Fault = async () => {
  throw new Error("We encountered an internal error. Please try again. (10001)");
};
const answers500AfterAll: Fault = async (call) => {
  await call();
  throw new Error("We encountered an internal error. Please try again. (10001)");
};
const hangs: Fault = () => new Promise(() => {});
const answers404: Fault = async <T>() => null as T;
/** The object that it gives instead. */
const gives =
  (other: (bytes: Uint8Array<ArrayBuffer>) => BucketObject): Fault =>
  async <T>(call: () => Promise<T>) => {
    const object = (await call()) as BucketObject;
    return other(new Uint8Array(await object.arrayBuffer())) as T;
  };
const truncated = gives((bytes) => memoryObject(bytes.slice(0, -10)));
const tooLong = gives((bytes) => memoryObject(new Uint8Array([...bytes.slice(0, 100_000), ...bytes])));
const empty = gives(() => memoryObject(new Uint8Array(0)));
const changed = gives((bytes) => {
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  return memoryObject(bytes);
});
const breaksOff = gives((bytes) => {
  let sent = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent) controller.error(new Error("Network connection lost."));
      else controller.enqueue(bytes.slice(0, 1000));
      sent = true;
    },
  });
  return { body, arrayBuffer: () => new Response(body).arrayBuffer() };
});
const stalls = gives((bytes) => {
  let sent = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent) return new Promise(() => {});
      controller.enqueue(bytes.slice(0, 1000));
      sent = true;
      return undefined;
    },
    // Nor does it stop when it is asked to.
    cancel: () => new Promise(() => {}),
  });
  return { body, arrayBuffer: () => new Response(body).arrayBuffer() };
});
const storesLess: Fault = async <T>(call: () => Promise<T>) => {
  const stored = (await call()) as { size: number };
  return { ...stored, size: stored.size - 1 } as T;
};

interface Setting {
  readonly store: TreeStore;
  readonly storage: StorageLike;
  readonly bucket: FaultyBucket;
  readonly options: BucketOptions;
  readonly bytes: Uint8Array;
}

/** A store with a large file in its rows, at `/large`. */
async function withFile(size: number, run: (setting: Setting) => Promise<void>): Promise<void> {
  await withStorage(async (storage) => {
    const bucket = new FaultyBucket();
    const options = { bucket, prefix: "object", threshold: THRESHOLD, timeoutMs: 500 };
    const store = new TreeStore(storage, { bucket: options });
    createJournal(storage);
    store.setHead("main", store.emptyTree);
    const bytes = contents[size] ?? new Uint8Array();
    const overlay = store.overlay(store.emptyTree);
    await overlay.writeFileBytes("/large", bytes);
    store.commit("main", await store.stage(overlay));
    overlay[Symbol.dispose]();
    await run({ store, storage, bucket, options, bytes });
  });
}

const tidy = (store: TreeStore) => maintain(store, { graceMs: 0 });
const same = (a: Uint8Array, b: Uint8Array): boolean => sha256(a) === sha256(b);

async function readAll(store: TreeStore): Promise<Uint8Array> {
  using overlay = store.overlay(store.head("main"));
  return overlay.readFileBytes("/large");
}

async function readPieces(store: TreeStore): Promise<Uint8Array> {
  using overlay = store.overlay(store.head("main"));
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of overlay.readFileStream("/large")) pieces.push(new Uint8Array(piece));
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

async function readEnd(store: TreeStore): Promise<Uint8Array> {
  using overlay = store.overlay(store.head("main"));
  return overlay.readRange("/large", sizes.put - 20_000, 20_000);
}

/** Nothing is damaged, and one maintenance leaves nothing over. */
async function expectHealed({ store, storage, bucket, options }: Setting): Promise<void> {
  bucket.heal();
  await tidy(store);
  expect(await damages(storage, options)).toEqual([]);
  const openUploads = (): number => bucket.real.uploads.size;
  expect(await orphans(storage, { keys: async () => [...bucket.real.objects.keys()], openUploads })).toEqual([]);
}

describe.concurrent("a read", { timeout: 60_000 }, () => {
  test.each([
    ["500", answers500, "EIO"],
    ["404", answers404, "EIO"],
    ["no answer", hangs, "timeout"],
    ["a truncated body", truncated, "EIO"],
    ["nothing", empty, "EIO"],
    ["a body that breaks off", breaksOff, "EIO"],
    ["a body that stalls", stalls, "timeout"],
    ["too many bytes", tooLong, "EIO"],
  ] as const)("is never an empty file nor another one: %s", async (_name, fault, code) => {
    await withFile(sizes.put, async (setting) => {
      const { store, bucket, bytes } = setting;
      await tidy(store);
      bucket.break("get", fault);
      for (const read of [readAll, readPieces, readEnd]) {
        await expect(read(store)).rejects.toMatchObject({ code });
      }
      expect(bucket.failures).toBeGreaterThan(0);
      bucket.heal();
      expect(same(await readAll(store), bytes)).toBe(true);
      await expectHealed(setting);
    });
  });

  test("finds out that the bytes are others", async () => {
    await withFile(sizes.put, async ({ store, bucket }) => {
      await tidy(store);
      bucket.break("get", changed);
      for (const read of [readAll, readPieces]) await expect(read(store)).rejects.toMatchObject({ code: "EIO" });
    });
  });

  test("is made again when it fails once", async () => {
    await withFile(sizes.put, async ({ store, bucket, bytes }) => {
      await tidy(store);
      for (const read of [readAll, readPieces]) {
        bucket.break("get", answers500, 1);
        expect(same(await read(store), bytes)).toBe(true);
        expect(bucket.failures).toBe(1);
      }
    });
  });

  test("of a lost object is EIO until somebody writes the same content again", async () => {
    await withFile(sizes.put, async (setting) => {
      const { store, bucket, bytes } = setting;
      await tidy(store);
      bucket.break("get", answers404);
      await expect(readAll(store)).rejects.toMatchObject({ code: "EIO" });
      const overlay = store.overlay(store.head("main"));
      await overlay.writeFileBytes("/copy", bytes);
      store.commit("main", await store.stage(overlay));
      overlay[Symbol.dispose]();
      // The bucket was wrong: the object is there. It must not be left over.
      expect(same(await readAll(store), bytes)).toBe(true);
      await expectHealed(setting);
    });
  });
});

describe.concurrent("a maintenance", { timeout: 60_000 }, () => {
  test.each([
    ["put", "500", answers500, "EIO"],
    ["put", "500, though it stored it", answers500AfterAll, "EIO"],
    ["put", "no answer", hangs, "timeout"],
    ["put", "less than was sent", storesLess, "EIO"],
    ["create", "500", answers500, "EIO"],
    ["create", "no answer", hangs, "timeout"],
    ["uploadPart", "500", answers500, "EIO"],
    ["uploadPart", "no answer", hangs, "timeout"],
    ["complete", "500", answers500, "EIO"],
    ["complete", "500, though it stored it", answers500AfterAll, "EIO"],
    ["complete", "no answer", hangs, "timeout"],
    ["complete", "less than was sent", storesLess, "EIO"],
  ] as const)("leaves the content where it is: %s answers %s", async (method, _name, fault, code) => {
    await withFile(method === "put" ? sizes.put : sizes.parts, async (setting) => {
      const { store, bucket, bytes } = setting;
      bucket.break(method, fault);
      await expect(tidy(store)).rejects.toMatchObject({ code });
      expect(bucket.failures).toBeGreaterThan(0);
      expect(same(await readAll(store), bytes)).toBe(true);
      await expectHealed(setting);
      expect(store.usage()).toMatchObject({ blobs: { rows: 0 }, bucket: { objects: 1 }, leftObjects: 0 });
      expect(same(await readAll(store), bytes)).toBe(true);
    });
  });

  test.each(["put", "create", "uploadPart", "complete", "delete"] as const)(
    "goes on when %s fails once",
    async (method) => {
      await withFile(method === "put" || method === "delete" ? sizes.put : sizes.parts, async (setting) => {
        const { store, bucket } = setting;
        if (method === "delete") {
          await tidy(store);
          store.setHead("main", store.emptyTree);
        }
        bucket.break(method, answers500, 1);
        await tidy(store);
        expect(bucket.failures).toBe(1);
        await expectHealed(setting);
      });
    },
  );

  test.each([
    ["500", answers500, "EIO"],
    ["500, though it deleted", answers500AfterAll, "EIO"],
    ["no answer", hangs, "timeout"],
  ] as const)("does not forget what it could not delete: %s", async (_name, fault, code) => {
    await withFile(sizes.put, async (setting) => {
      const { store, bucket } = setting;
      await tidy(store);
      store.setHead("main", store.emptyTree);
      bucket.break("delete", fault);
      await expect(tidy(store)).rejects.toMatchObject({ code });
      expect(store.usage().leftObjects).toBe(1);
      await expectHealed(setting);
      expect(bucket.real.objects.size).toBe(0);
    });
  });

  test("keeps an upload that failed on record for the grace period, since it may yet take effect", async () => {
    await withFile(sizes.put, async (setting) => {
      const { store, bucket } = setting;
      let land: () => Promise<void> = async () => {};
      bucket.break("put", <T>(call: () => Promise<T>) => {
        land = async () => void (await call());
        return new Promise<T>(() => {});
      });
      await expect(maintain(store)).rejects.toMatchObject({ code: "timeout" });
      bucket.heal();
      await maintain(store);
      await land();
      // Two objects: the one of the second upload, and the late one.
      expect([bucket.real.objects.size, store.usage().leftObjects]).toEqual([2, 1]);
      await expectHealed(setting);
    });
  });
});
