import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ArchiveEntry } from "@tenrec/vfs/folder";
import { expect, test } from "vitest";
import { isUntouched, readDiskEntry } from "./disk-entry.ts";
import { createEntry, replaceEntry } from "./write-entry.ts";
import { entriesOf, readTree, withFolder } from "./with-folder.ts";

function entry(tree: Parameters<typeof entriesOf>[0]): Exclude<ArchiveEntry, { kind: "directory" }> {
  const [first] = entriesOf(tree);
  if (!first || first.kind === "directory") throw new Error("no entry");
  return first;
}

test.each<[string, (path: string) => Promise<void>]>([
  ["a file", (path) => writeFile(path, "mine")],
  ["a link to nothing", (path) => symlink("none", path)],
])("creating does not take the place of %s that appeared meanwhile", (_, appear) =>
  withFolder(async (folder) => {
    await appear(join(folder, "a"));
    const before = await readTree(folder);
    for (const tree of [{ a: "new" }, { a: { to: "x" } }]) {
      await expect(createEntry(join(folder, "a"), entry(tree))).rejects.toMatchObject({ code: "EEXIST" });
    }
    expect(await readTree(folder)).toEqual(before);
  }),
);

test("replacing looks once more before it does, and leaves nothing beside", () =>
  withFolder(async (folder) => {
    const path = join(folder, "a");
    await writeFile(path, "old");
    const seen = await readDiskEntry(path);
    const touch = async (): Promise<boolean> => {
      await writeFile(path, "new");
      return isUntouched(path, seen);
    };
    expect(await replaceEntry(path, entry({ a: "x" }), touch)).toBe(false);
    expect(await readTree(folder)).toEqual({ a: "new" });
    expect(await replaceEntry(path, entry({ a: "x" }), () => Promise.resolve(true))).toBe(true);
    expect(await readFile(path, "utf8")).toBe("x");
    expect(await readTree(folder)).toEqual({ a: "x" });
  }));
