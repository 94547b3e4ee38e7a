import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withFileLock } from "./file-lock.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tenrec-lock-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("one at a time, also when one throws, and nothing is left", async () => {
  let inside = 0;
  const use = async (i: number): Promise<number> => {
    expect(++inside).toBe(1);
    await new Promise((done) => setTimeout(done, 5));
    inside--;
    if (i === 2) throw new Error("two");
    return i;
  };
  const path = join(folder, "lock");
  const results = await Promise.allSettled([0, 1, 2, 3, 4].map((i) => withFileLock(path, () => use(i))));
  expect(results.map((result) => (result.status === "fulfilled" ? result.value : "failed"))).toEqual([
    0,
    1,
    "failed",
    3,
    4,
  ]);
  expect(await readdir(folder)).toEqual([]);
});

test("the lock of a process that runs is waited for, and kept when that was too long", async () => {
  const path = join(folder, "lock");
  await writeFile(path, `${process.pid} x`);
  const use = () => Promise.reject(new Error("ran"));
  await expect(withFileLock(path, use, { waitMs: 50 })).rejects.toMatchObject({ code: "timeout", data: { ms: 50 } });
  expect(await readFile(path, "utf8")).toBe(`${process.pid} x`);
});

test("a lock that was taken over meanwhile is left to its new owner", async () => {
  const path = join(folder, "lock");
  await withFileLock(path, () => writeFile(path, "1 other"));
  expect(await readFile(path, "utf8")).toBe("1 other");
});
