import fc from "fast-check";
import { expect, test } from "vitest";
import { applyChanges, type FileOutcome } from "./apply-changes.ts";
import { baseOf } from "./base.ts";
import { entriesOf, type Node, readTree, type Tree, withFolder, writeTree } from "./with-folder.ts";

const leaf: fc.Arbitrary<Node> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("", "1", "2", "\0\xff") },
  { weight: 1, arbitrary: fc.constantFrom("1", "2").map((text) => ({ text, mode: 0o755 })) },
  { weight: 1, arbitrary: fc.constantFrom("a", "b").map((to) => ({ to })) },
);

/** A few names, so that trees often have the same path; where a path leads through a leaf, the first one stays. */
function treeOf(paths: readonly string[]): fc.Arbitrary<Tree> {
  const node = fc.oneof({ weight: 6, arbitrary: leaf }, { weight: 1, arbitrary: fc.constant(null) });
  return fc.dictionary(fc.constantFrom(...paths), node, { maxKeys: 6, noNullPrototype: true }).map((found) => {
    const tree: Tree = {};
    for (const [path, value] of Object.entries(found)) {
      const isInTheWay = (other: string): boolean =>
        (path.startsWith(`${other}/`) && tree[other] !== null) || (other.startsWith(`${path}/`) && value !== null);
      if (!Object.keys(tree).some(isInTheWay)) tree[path] = value;
    }
    return tree;
  });
}

/** A tree, and two that often have its nodes: as the disk and the session went on from it. */
function threeTrees(paths: readonly string[]): fc.Arbitrary<{ base: Tree; disk: Tree; session: Tree }> {
  return fc
    .record({ base: treeOf(paths), disk: treeOf(paths), session: treeOf(paths), keep: fc.infiniteStream(fc.boolean()) })
    .map(({ base, disk, session, keep }) => {
      const goOn = (to: Tree): Tree =>
        Object.keys(to).length === 1
          ? base
          : Object.fromEntries(
              Object.entries(to).map(([path, node]) => {
                const old = base[path];
                return [
                  path,
                  keep.next().value && old !== undefined && (old === null) === (node === null) ? old : node,
                ];
              }),
            );
      return { base, disk: goOn(disk), session: goOn(session) };
    });
}

interface Applied {
  before: Tree;
  after: Tree;
  folders: Tree;
  files: readonly FileOutcome[];
  again: readonly FileOutcome[];
  afterAgain: Tree;
}

function applied({ base, disk, session }: { base: Tree; disk: Tree; session: Tree }): Promise<Applied> {
  return withFolder(async (dir) => {
    await writeTree(dir, disk);
    const options = { dir, base: await baseOf(entriesOf(base)), entries: entriesOf(session) };
    const before = await readTree(dir);
    const { files } = await applyChanges(options);
    const [after, folders] = [await readTree(dir), await readTree(dir, "", true)];
    const { files: again } = await applyChanges(options);
    return { before, after, folders, files, again, afterAgain: await readTree(dir) };
  });
}

function same(a: Node | undefined, b: Node | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function leaves(tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([, node]) => node !== null));
}

function allFolders(tree: Tree): string[] {
  return entriesOf(tree).flatMap(({ path, kind }) => (kind === "directory" ? [path.slice(1)] : []));
}

const RUNS = { numRuns: 150 };
// Files and folders of any name in any place.
const MIXED = ["a", "a/a", "a/b", "a/a/a", "b", "b/a", "b/b/a", "c"];
// No path is above another: each stands for itself.
const APART = ["a", "b", "d/a", "d/b", "e/f/a", "e/f/b", "e/g"];

test("each path for itself: what the session changed, unless the disk did", async () => {
  await fc.assert(
    fc.asyncProperty(threeTrees(APART), async (trees) => {
      const [base, disk, session] = [leaves(trees.base), leaves(trees.disk), leaves(trees.session)];
      const expected: Tree = {};
      for (const path of APART) {
        const isOld = same(session[path], base[path]) || !same(disk[path], base[path]);
        const node = isOld ? disk[path] : session[path];
        if (node !== undefined) expected[path] = node;
      }
      const { after } = await applied({ base, disk, session });
      expect(leaves(after)).toEqual(expected);
    }),
    RUNS,
  );
});

test("when the disk stayed as it was imported, it becomes the session's tree, folders too", async () => {
  await fc.assert(
    fc.asyncProperty(threeTrees(MIXED), async ({ base, session }) => {
      const { after, folders, files } = await applied({ base, disk: base, session });
      expect(files.filter(({ status }) => status === "refused")).toEqual([]);
      expect(leaves(after)).toEqual(leaves(session));
      expect(Object.keys(folders).filter((path) => folders[path] === null)).toEqual(allFolders(session));
    }),
    RUNS,
  );
});

test("no change on disk is lost, nothing is invented, each outcome is true, and again is the same", async () => {
  await fc.assert(
    fc.asyncProperty(threeTrees(MIXED), async (trees) => {
      const [base, session] = [leaves(trees.base), leaves(trees.session)];
      const { before, after, files, again, afterAgain } = await applied(trees);
      const [disk, now] = [leaves(before), leaves(after)];
      for (const path of Object.keys(disk)) if (!same(disk[path], base[path])) expect(now[path]).toEqual(disk[path]);
      for (const path of new Set([...Object.keys(disk), ...Object.keys(now)])) {
        expect(same(now[path], disk[path]) || same(now[path], session[path])).toBe(true);
      }
      const outcomes = new Map(files.map((outcome) => [outcome.path.slice(1), outcome.status]));
      for (const path of new Set([...Object.keys(base), ...Object.keys(session)])) {
        if (!same(base[path], session[path])) expect(outcomes.has(path)).toBe(true);
      }
      for (const [path, status] of outcomes) {
        expect(now[path]).toEqual(status === "refused" ? disk[path] : session[path]);
        if (status === "unchanged") expect(now[path]).toEqual(disk[path]);
      }
      expect(again.filter(({ status }) => status !== "unchanged" && status !== "refused")).toEqual([]);
      expect(afterAgain).toEqual(after);
    }),
    RUNS,
  );
});
