import { expect, test } from "vitest";
import { TreeStore } from "../tree-store.ts";
import { withStorage } from "../with-store.workers.ts";
import { MemoryBucket } from "./with-memory-bucket.ts";
import { createJournal } from "./with-run.ts";
import { damages, worldOf } from "./with-world.ts";

const bucket = { bucket: new MemoryBucket(), prefix: "object" };

test("a row that workerd itself refuses is EFBIG and changes nothing", async () => {
  await withStorage(async (storage) => {
    createJournal(storage);
    const store = new TreeStore(storage);
    store.setHead("main", store.emptyTree);
    const before = worldOf(storage);
    // Local workerd takes more than the 2 MB of a deployed object.
    const checkpoint = (): unknown => store.checkpoint("main", "x".repeat(20_000_000));
    expect(checkpoint).toThrow(expect.objectContaining({ code: "EFBIG" }));
    expect([worldOf(storage), await damages(storage, bucket)]).toEqual([before, []]);
    expect(store.checkpoint("main", "small").id).toBe(1);
  });
});
