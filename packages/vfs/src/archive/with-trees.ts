import fc from "fast-check";
import { TreeStore } from "../tree-store.ts";
import type { StorageLike } from "../sql.ts";
import type { ArchiveEntry, Entries } from "./archive-entry.ts";
import { archiveNames } from "./archive-path.ts";
import { importEntries } from "./import-entries.ts";
import { directory, file, link } from "./with-entries.ts";

const LETTERS = [
  "a",
  "B",
  "b",
  ".",
  "-",
  " ",
  "é",
  "e\u0301",
  "日",
  "\u{1f600}",
  "\n",
  "\\",
  ":",
  "*",
  "\u202e",
  "x".repeat(80),
];

function isName(name: string): boolean {
  try {
    return archiveNames(name).length === 1 && archiveNames(`d/${name}/f`).length === 3;
  } catch {
    return false;
  }
}

const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("a", "b", "A", "dir", "run.sh", "c:", "é", "e\u0301") },
  fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength: 6 }).filter(isName),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).filter(isName),
);
const content = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc
    .record({ size: fc.integer({ min: 500, max: 20_000 }), byte: fc.nat(255) })
    .map(({ size, byte }) => new Uint8Array(size).map((_, index) => (index % 7 === 0 ? byte : index % 13))),
  // Above the size at which content comes in pieces.
  fc.constant(new Uint8Array(1_100_000).map((_, index) => (index * index) % 253)),
);
const mode = fc.constantFrom(0o644, 0o755, 0o600, 0o400, 0o777, 0o000);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => `/${names.join("/")}`);
const target = fc
  .string({ unit: fc.constantFrom(...LETTERS, "/", ".."), minLength: 1, maxLength: 60 })
  .filter((text) => text.isWellFormed());

/** Entries in any order; what is in the way of another is left out by `treeOf`. */
export const entriesArbitrary: fc.Arbitrary<ArchiveEntry[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.tuple(path, content, mode).map(([at, bytes, bits]) => file(at, bytes, bits)) },
    fc.tuple(path, target).map(([at, to]) => link(at, to)),
    fc.tuple(path, mode).map(([at, bits]) => directory(at, bits)),
  ),
  { maxLength: 12 },
);

/** A store with a tree of these entries, those that cannot be together left out. */
export async function treeOf(storage: StorageLike, entries: readonly ArchiveEntry[]): Promise<[TreeStore, string]> {
  const store = new TreeStore(storage);
  store.setHead("main", store.emptyTree);
  const overlay = store.overlay(store.emptyTree);
  for (const entry of entries) await importEntries(overlay, [entry]).catch(() => {});
  return [store, store.commit("main", await store.stage(overlay)).tree];
}

/** The tree of entries on their own. */
export async function importedTree(store: TreeStore, entries: Entries): Promise<string> {
  const overlay = store.overlay(store.emptyTree);
  await importEntries(overlay, entries, { maxRatio: 2000 });
  store.setHead("imported", store.emptyTree);
  return store.commit("imported", await store.stage(overlay)).tree;
}
