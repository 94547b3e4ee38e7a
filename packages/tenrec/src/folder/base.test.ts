import { createHash } from "node:crypto";
import { type ArchiveEntry, readFolder } from "@tenrec/vfs/folder";
import { expect, test } from "vitest";
import { baseOf, takeBase } from "./base.ts";
import { entriesOf, file, withFolder, writeTree } from "./with-folder.ts";

async function allOf(entries: AsyncIterable<ArchiveEntry>): Promise<ArchiveEntry[]> {
  const all: ArchiveEntry[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}

test("a base has kind, mode, size and hash of what passes by, which stays as it was", () =>
  withFolder(async (folder) => {
    await writeTree(folder, { "src/run": file("\0\xff", 0o750), l: { to: "src/rün" }, empty: null });
    const taker = takeBase(readFolder(folder));
    const passed = await allOf(taker.entries);
    expect(passed).toEqual(await allOf(readFolder(folder)));
    const sha256 = (content: Buffer): string => createHash("sha256").update(content).digest("hex");
    const base = taker.base();
    expect(base).toMatchObject({
      entries: {
        "/src/run": { kind: "file", mode: 0o750, size: 2, sha256: sha256(Buffer.of(0, 255)) },
        "/l": { kind: "symlink", size: 8, sha256: sha256(Buffer.from("src/rün")) },
        "/empty": { kind: "directory", size: 0, sha256: "" },
      },
    });
    expect(JSON.parse(JSON.stringify(base))).toEqual(base);
    expect(await baseOf(readFolder(folder))).toEqual(base);
  }));

test("half a base is none", async () => {
  const taker = takeBase(entriesOf({ a: "", b: "" }));
  await taker.entries.next();
  expect(() => taker.base()).toThrow(expect.objectContaining({ code: "internal" }));
});

test("a name of JavaScript's own is a name", async () => {
  const base = await baseOf(entriesOf({ __proto__x: "", constructor: "x" }));
  expect(Object.keys(base.entries)).toEqual(["/__proto__x", "/constructor"]);
});
