import { expect, test } from "vitest";
import { maintain } from "../maintain.ts";
import { createNodeStorage } from "../testing/node-storage.ts";
import { TreeStore } from "../tree-store.ts";
import { MemoryBucket } from "./with-memory-bucket.ts";
import { createJournal } from "./with-run.ts";
import { someBytes } from "./with-scenarios.ts";
import { damages, worldOf } from "./with-world.ts";

const bucket = { bucket: new MemoryBucket(), prefix: "object" };
const PAGES = 600;

test("a database that is really full is ENOSPC, stays as it was, and takes writes again once there is room", async () => {
  const storage = createNodeStorage();
  storage.sql.exec(`PRAGMA max_page_count = ${PAGES}`);
  createJournal(storage);
  const store = new TreeStore(storage);
  store.setHead("main", store.emptyTree);
  const write = async (name: string, bytes: Uint8Array): Promise<void> => {
    using overlay = store.overlay(store.head("main"));
    await overlay.writeFileBytes(`/${name}`, bytes);
    const staged = await store.stage(overlay);
    store.commit("main", staged, ({ head, tree }) => {
      storage.sql.exec("INSERT INTO journal (head, tree) VALUES (?, ?)", head, tree);
    });
  };
  await write("small", new Uint8Array(10));
  let error: unknown;
  let before = "";
  for (let number = 0; error === undefined && number < 100; number++) {
    before = worldOf(storage);
    error = await write(`file${number}`, someBytes(number, 300_000)).catch((reason: unknown) => reason);
  }
  expect(error).toMatchObject({ code: "ENOSPC" });
  expect([worldOf(storage), await damages(storage, bucket)]).toEqual([before, []]);
  await expect(write("more", someBytes(1000, 1_500_000))).rejects.toMatchObject({ code: "ENOSPC" });
  const small = new Uint8Array(4000).fill(1);
  let commits = 0;
  for (; commits < 1000; commits++) {
    before = worldOf(storage);
    small[0] = commits % 256;
    error = await write(`s${commits}`, small.slice()).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error !== undefined) break;
  }
  expect(error).toMatchObject({ code: "ENOSPC" });
  expect([worldOf(storage), await damages(storage, bucket)]).toEqual([before, []]);
  store.setHead("main", store.emptyTree);
  await maintain(store, { graceMs: 0 });
  await write("after", someBytes(2000, 500_000));
  expect(await damages(storage, bucket)).toEqual([]);
  storage.close();
});
