import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TreeStore } from "./tree-store.ts";
import { withStorage } from "./with-store.ts";

// Paths to a text; a directory is a path to `undefined`.
type Model = Map<string, string | undefined>;

interface Operation {
  readonly kind: "write" | "append" | "mkdir" | "rm" | "mv" | "cp" | "commit";
  readonly a: string;
  readonly b: string;
}

const path = fc
  .array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 3 })
  .map((names) => `/${names.join("/")}`);
const operation: fc.Arbitrary<Operation> = fc.record({
  kind: fc.constantFrom("write", "write", "append", "mkdir", "rm", "mv", "cp", "commit"),
  a: path,
  b: path,
});

function parentsOf(path: string): string[] {
  const names = path.split("/").slice(1, -1);
  return names.map((_, index) => `/${names.slice(0, index + 1).join("/")}`);
}

function isFile(model: Model, path: string): boolean {
  return model.get(path) !== undefined;
}

function below(model: Model, path: string): string[] {
  return [...model.keys()].filter((key) => key === path || key.startsWith(`${path}/`));
}

type Apply = (model: Model, a: string, b: string) => boolean;

function isBlocked(model: Model, path: string): boolean {
  return parentsOf(path).some((parent) => isFile(model, parent));
}

function applyWrite(model: Model, path: string, text: (before: string) => string): boolean {
  if (isBlocked(model, path) || (model.has(path) && !isFile(model, path))) return false;
  for (const parent of parentsOf(path)) model.set(parent, undefined);
  model.set(path, text(model.get(path) ?? ""));
  return true;
}

function applyMkdir(model: Model, path: string): boolean {
  if (isBlocked(model, path) || isFile(model, path)) return false;
  for (const directory of [...parentsOf(path), path]) model.set(directory, undefined);
  return true;
}

/** What each call does; false when it fails. */
const APPLY: Readonly<Record<Operation["kind"], Apply>> = {
  write: (model, a, b) => applyWrite(model, a, () => b),
  append: (model, a, b) => applyWrite(model, a, (before) => before + b),
  mkdir: applyMkdir,
  rm: (model, a) => {
    if (isBlocked(model, a)) return false;
    for (const key of below(model, a)) model.delete(key);
    return true;
  },
  mv: (model, a, b) => {
    if (!model.has(a) || isBlocked(model, b)) return false;
    return a === b || (!b.startsWith(`${a}/`) && applyMove(model, a, b));
  },
  cp: (model, a, b) => {
    if (!model.has(a) || isBlocked(model, b) || a === b || b.startsWith(`${a}/`)) return false;
    return applyCopy(model, a, b);
  },
  commit: () => true,
};

function applyMove(model: Model, a: string, b: string): boolean {
  if (model.has(b) && (!isFile(model, b) || !isFile(model, a))) return false;
  const moved = below(model, a).map((key) => [key, model.get(key)] as const);
  for (const [key] of moved) model.delete(key);
  for (const parent of parentsOf(b)) model.set(parent, undefined);
  for (const [key, value] of moved) model.set(b + key.slice(a.length), value);
  return true;
}

function applyCopy(model: Model, a: string, b: string): boolean {
  const copied = below(model, a).map((key) => [b + key.slice(a.length), model.get(key)] as const);
  if (copied.some(([key, value]) => model.has(key) && isFile(model, key) !== (value !== undefined))) return false;
  for (const parent of parentsOf(b)) model.set(parent, undefined);
  for (const [key, value] of copied) model.set(key, value);
  return true;
}

describe("against a simple model", () => {
  test("random operations and commits give the same files and the same answers", () =>
    withStorage(async (storage) => {
      const store = new TreeStore(storage);
      await fc.assert(
        fc.asyncProperty(fc.array(operation, { maxLength: 40 }), async (operations) => {
          store.setHead("main", store.emptyTree);
          const model: Model = new Map();
          let overlay = store.overlay(store.emptyTree);
          for (const { kind, a, b } of [...operations, { kind: "commit", a: "", b: "" } as const]) {
            const calls = {
              write: () => overlay.writeFile(a, b),
              append: () => overlay.appendFile(a, b),
              mkdir: () => overlay.mkdir(a, { recursive: true }),
              rm: () => overlay.rm(a, { recursive: true, force: true }),
              mv: () => overlay.mv(a, b),
              cp: () => overlay.cp(a, b, { recursive: true }),
              commit: async () => {
                const listed = overlay.changes();
                const { before, tree, changes } = store.commit("main", await store.stage(overlay));
                expect([listed, changes]).toEqual([store.changes(before, tree), store.changes(before, tree)]);
                overlay = store.overlay(tree);
              },
            };
            const ok = await calls[kind]().then(
              () => true,
              (error: { code?: string }) => {
                if (error.code === undefined) throw error;
                return false;
              },
            );
            expect([kind, a, b, ok]).toEqual([kind, a, b, APPLY[kind](model, a, b)]);
          }
          const listed = store.manifest(store.head("main")).map((entry) => entry.path);
          expect(listed.toSorted()).toEqual([...model.keys()].toSorted());
          const reopened = new TreeStore(storage).overlay(store.head("main"));
          const files = [...model].filter(([path]) => isFile(model, path));
          const stored = await Promise.all(files.map(async ([path]) => [path, await reopened.readFile(path)]));
          expect(stored).toEqual(files);
        }),
        { numRuns: 150 },
      );
    }));

  test("disjoint writes in any order, in one commit or many, give one tree", () =>
    withStorage(async (storage) => {
      const store = new TreeStore(storage);
      const files = fc.uniqueArray(fc.tuple(fc.constantFrom("x", "y/z", "y"), fc.nat(400)), {
        minLength: 1,
        maxLength: 30,
        selector: ([directory, name]) => `${directory}/${name}`,
      });
      await fc.assert(
        fc.asyncProperty(files, fc.integer(), async (list, seed) => {
          const write = async (order: typeof list, perCommit: number): Promise<string> => {
            store.setHead("main", store.emptyTree);
            for (let at = 0; at < order.length; at += perCommit) {
              const overlay = store.overlay(store.head("main"));
              for (const [dir, name] of order.slice(at, at + perCommit))
                await overlay.writeFile(`/${dir}/f${name}`, `${name}`);
              store.commit("main", await store.stage(overlay));
            }
            return store.head("main");
          };
          const shuffled = list.toSorted(([, a], [, b]) => ((a * 7919 + seed) % 101) - ((b * 7919 + seed) % 101));
          expect(await write(shuffled, 1 + (Math.abs(seed) % 5))).toBe(await write(list, list.length));
        }),
        { numRuns: 40 },
      );
    }));
});
