import fc from "fast-check";
import { expect, test } from "vitest";
import { withStorage } from "../with-store.ts";
import { exportEntries } from "./export-entries.ts";
import { packZip } from "./pack-zip.ts";
import { packTarGz } from "./tar-gz.ts";
import { packTar } from "./tar.ts";
import { unpackArchive } from "./unpack-archive.ts";
import { entriesArbitrary, importedTree, treeOf } from "./with-trees.ts";

test.each([
  ["tar", packTar],
  ["tar.gz", packTarGz],
  ["zip", packZip],
])(
  "any tree goes out as %s and comes back the same, times excepted",
  async (_, pack) => {
    await fc.assert(
      fc.asyncProperty(entriesArbitrary, (entries) =>
        withStorage(async (storage) => {
          const [store, tree] = await treeOf(storage, entries);
          const archive = pack(exportEntries(store.overlay(tree)));
          const back = await importedTree(store, unpackArchive(archive, { maxRatio: 2000 }));
          expect(store.manifest(back)).toEqual(store.manifest(tree));
          expect(back).toBe(tree);
        }),
      ),
      { numRuns: 60 },
    );
  },
  60_000,
);
