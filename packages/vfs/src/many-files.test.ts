import { expect, test } from "vitest";
import { importEntries } from "./archive/import-entries.ts";
import { file } from "./archive/with-entries.ts";
import { TreeStore } from "./tree-store.ts";
import { withStorage } from "./with-store.ts";

const FILES = 50_000;
const PER_DIRECTORY = 25_000;

const pathOf = (index: number): string => `/d${Math.floor(index / PER_DIRECTORY)}/sub/f${index}.txt`;

test(
  "50,000 files are stored, listed, changed one by one and removed",
  () =>
    withStorage(async (storage) => {
      const store = new TreeStore(storage);
      store.setHead("main", store.emptyTree);
      const first = store.overlay(store.head("main"));
      function* entries() {
        for (let index = 0; index < FILES; index++) {
          yield file(pathOf(index), `content ${index % 1000}\n`);
        }
      }
      expect((await importEntries(first, entries())).entries).toBe(FILES);
      const full = store.commit("main", await store.stage(first)).tree;

      const reopened = new TreeStore(storage);
      expect(reopened.manifest(full).filter(({ kind }) => kind === "file")).toHaveLength(FILES);
      const second = reopened.overlay(full);
      const names = await second.readdir("/d1/sub");
      expect(names).toHaveLength(PER_DIRECTORY);
      expect(names).toEqual(names.toSorted());
      for (const index of [0, 24_999, 25_000, 49_999]) {
        expect(await second.readFile(pathOf(index))).toBe(`content ${index % 1000}\n`);
      }
      await second.writeFile(pathOf(31_234), "changed");
      await second.mv(pathOf(40_000), "/moved");
      await second.rm("/d0", { recursive: true });
      const { tree, changes } = reopened.commit("main", await reopened.stage(second));
      expect(changes).toHaveLength(PER_DIRECTORY + 3);
      expect(reopened.manifest(tree).filter(({ kind }) => kind === "file")).toHaveLength(PER_DIRECTORY);
      expect(reopened.changes(full, tree)).toEqual(changes);
    }),
  60_000,
);
