import { hasCode } from "@tenrec/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { maintain } from "../maintain.ts";
import type { Overlay } from "../overlay/overlay.ts";
import { sha256 } from "../sha256.ts";
import type { StorageLike } from "../sql.ts";
import type { TreeStore } from "../tree-store.ts";
import { withStorage } from "../with-store.ts";
import { CountingKill } from "./with-kill-switch.ts";
import { MemoryBucket } from "./with-memory-bucket.ts";
import { bucketOptions, createJournal, openScene, type Run } from "./with-run.ts";
import { type Scene, someBytes } from "./with-scenarios.ts";
import { damages, orphans } from "./with-world.ts";

/** Paths of files to the hash of what is in them. */
type Files = ReadonlyMap<string, string>;

interface OpenOverlay {
  readonly overlay: Overlay;
  readonly base: Files;
  readonly files: Map<string, string>;
}

interface Model {
  main: Files;
  checkpoints: { readonly id: number; readonly files: Files }[];
  /** Work in progress; a crash ends it. */
  overlays: OpenOverlay[];
}

interface Operation {
  readonly kind: "open" | "write" | "append" | "rm" | "mv" | "commit" | "checkpoint" | "revert" | "prune" | "maintain";
  readonly which: number;
  readonly a: string;
  readonly b: string;
  readonly content: number;
  /** At which boundary within the operation everything dies. */
  readonly killAt: number | null;
}

const texts = ["", "one", "two", "three"].map((text) => new TextEncoder().encode(text));
const contents = [...texts, someBytes(1, 1024 * 1024 + 1), someBytes(2, 1024 * 1024 + 2)];
const path = fc.constantFrom("/a", "/b", "/d/a", "/d/b", "/d/e/a");
const operation: fc.Arbitrary<Operation> = fc.record({
  kind: fc.constantFrom(
    ...(["open", "write", "write", "write", "append", "rm", "mv", "commit", "commit", "commit"] as const),
    ...(["checkpoint", "revert", "prune", "maintain"] as const),
  ),
  which: fc.nat(2),
  a: path,
  b: path,
  content: fc.nat(contents.length - 1),
  killAt: fc.oneof(
    { weight: 5, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 20 }) },
  ),
});

/** What a commit makes of the head; `undefined` when another one was in the way. */
function merged(main: Files, { base, files }: OpenOverlay): Files | undefined {
  const result = new Map(main);
  for (const path of new Set([...base.keys(), ...files.keys()])) {
    const [before, after, now] = [base.get(path), files.get(path), main.get(path)];
    if (before === after) continue;
    if (now !== before && now !== after) return undefined;
    if (after === undefined) result.delete(path);
    else result.set(path, after);
  }
  return result;
}

const MAX_CHECKPOINTS = 2;

/** Changes an overlay, and what the model knows of it. */
async function change({ overlay, files }: OpenOverlay, { kind, a, b, content }: Operation): Promise<void> {
  const known = files.get(a);
  if (kind === "write") {
    const bytes = contents[content] ?? new Uint8Array();
    await overlay.writeFileBytes(a, bytes);
    files.set(a, sha256(bytes));
  } else if (known !== undefined && kind === "append") {
    const before = await overlay.readFileBytes(a);
    expect(sha256(before)).toBe(known);
    await overlay.appendFile(a, "+");
    const after = new Uint8Array(before.length + 1);
    after.set(before);
    after[before.length] = 43;
    files.set(a, sha256(after));
  } else if (known !== undefined && kind === "rm") {
    files.delete(a);
    await overlay.rm(a);
  } else if (known !== undefined && kind === "mv" && a !== b) {
    await overlay.mv(a, b);
    files.delete(a);
    files.set(b, known);
  }
}

/** Does an operation; returns how the model is afterwards. */
async function apply(scene: Scene, model: Model, operation: Operation): Promise<Model> {
  const { store } = scene;
  const { kind, which } = operation;
  const open = model.overlays[which % Math.max(1, model.overlays.length)];
  switch (kind) {
    case "open": {
      const overlay = store.overlay(store.head("main"));
      const [oldest, ...rest] = model.overlays;
      if (model.overlays.length === 3) oldest?.overlay[Symbol.dispose]();
      const kept = model.overlays.length === 3 ? rest : model.overlays;
      return { ...model, overlays: [...kept, { overlay, base: model.main, files: new Map(model.main) }] };
    }
    case "write":
    case "append":
    case "rm":
    case "mv":
      if (open) await change(open, operation);
      return model;
    case "commit":
      return open ? commit(scene, model, open) : model;
    case "checkpoint": {
      const { id } = store.checkpoint("main", "kept");
      return { ...model, checkpoints: [...model.checkpoints, { id, files: model.main }] };
    }
    case "revert":
      return revert(store, model, which);
    case "prune":
      await maintain(store, { graceMs: 0, maxCheckpoints: MAX_CHECKPOINTS });
      return { ...model, checkpoints: model.checkpoints.slice(-MAX_CHECKPOINTS) };
    case "maintain":
      await maintain(store, { graceMs: 0 });
      return model;
  }
}

function revert(store: TreeStore, model: Model, which: number): Model {
  const kept = store.checkpoints("main");
  expect(kept.map(({ id }) => id)).toEqual(model.checkpoints.map(({ id }) => id));
  const to = kept[which % Math.max(1, kept.length)];
  if (to) store.revert("main", to.tree);
  return { ...model, main: model.checkpoints.find(({ id }) => id === to?.id)?.files ?? model.main };
}

/** Folders that were in the tree of an overlay and are not in the head any more. */
function lostFolders(store: TreeStore, base: string, head: string): string[] {
  const foldersOf = (tree: string): string[] =>
    store.manifest(tree).flatMap(({ path, kind }) => (kind === "directory" ? [path] : []));
  const there = new Set(foldersOf(head));
  return foldersOf(base).filter((folder) => !there.has(folder));
}

async function commit({ store, storage }: Scene, model: Model, open: OpenOverlay): Promise<Model> {
  const overlays = model.overlays.filter((other) => other !== open);
  const main = merged(model.main, open);
  const before = store.head("main");
  const staged = await store.stage(open.overlay);
  try {
    store.commit("main", staged, ({ head, tree }) => {
      storage.sql.exec("INSERT INTO journal (head, tree) VALUES (?, ?)", head, tree);
    });
  } catch (error) {
    if (!hasCode(error, "tree-conflict")) throw error;
    if (main) {
      // The model knows files only: a folder around the change was taken away by a revert.
      const lost = lostFolders(store, open.overlay.tree, before);
      expect(error.data.paths.filter((path) => !lost.some((folder) => path.startsWith(`${folder}/`)))).toEqual([]);
    }
    return { ...model, overlays };
  } finally {
    open.overlay[Symbol.dispose]();
  }
  expect(main).toBeDefined();
  return { ...model, main: main ?? model.main, overlays };
}

/** What the store itself says of its head and checkpoints. */
function observed({ store }: Scene): string {
  const filesOf = (tree: string): unknown =>
    store.manifest(tree).flatMap(({ path, kind, hash }) => (kind === "file" ? [[path, hash]] : []));
  const checkpoints = store.checkpoints("main").map(({ id, tree }) => [id, filesOf(tree)]);
  return JSON.stringify([filesOf(store.head("main")), checkpoints]);
}

function expected({ main, checkpoints }: Model): string {
  const sorted = (files: Files): unknown => [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([sorted(main), checkpoints.map(({ id, files }) => [id, sorted(files)])]);
}

/** What would be there if the operation had just been done. */
function afterOf(model: Model, { kind, which }: Operation, scene: Scene): Model[] {
  const open = model.overlays[which % Math.max(1, model.overlays.length)];
  if (kind === "commit" && open) return [{ ...model, main: merged(model.main, open) ?? model.main }];
  if (kind === "prune") return [{ ...model, checkpoints: model.checkpoints.slice(-MAX_CHECKPOINTS) }];
  if (kind === "checkpoint") {
    const id = scene.store.checkpoints("main").at(-1)?.id ?? 0;
    return [{ ...model, checkpoints: [...model.checkpoints, { id, files: model.main }] }];
  }
  return kind === "revert" ? model.checkpoints.map(({ files }) => ({ ...model, main: files })) : [];
}

async function play(storage: StorageLike, operations: readonly Operation[]): Promise<void> {
  for (const table of ["heads", "checkpoints", "nodes", "blobs", "bucket_keys"]) {
    storage.sql.exec(`DROP TABLE IF EXISTS tenrec_${table}`);
  }
  let clock = 1_000_000;
  const bucket = new MemoryBucket();
  const run: Run = { storage, bucket, now: () => ++clock };
  let kill = new CountingKill();
  let scene = openScene(run, kill);
  scene.store.setHead("main", scene.store.emptyTree);
  let model: Model = { main: new Map(), checkpoints: [], overlays: [] };
  for (const operation of operations) {
    kill.killIn(operation.killAt);
    const done = apply(scene, model, operation);
    const next = await Promise.race([done, kill.died]).catch((error: unknown) => {
      if (kill.where === undefined) throw error;
    });
    if (kill.where !== undefined || !next) {
      // What still waits is a process that is no more.
      done.catch(() => {});
      kill = new CountingKill();
      scene = openScene(run, kill);
      const possible = [model, ...afterOf(model, operation, scene)];
      const now = possible.find((one) => expected(one) === observed(scene));
      expect([operation.kind, now && expected(now)]).toEqual([operation.kind, observed(scene)]);
      model = { ...(now ?? model), overlays: [] };
      expect(await damages(storage, bucketOptions(bucket))).toEqual([]);
    } else {
      kill.killIn(null);
      model = next;
      expect(observed(scene)).toBe(expected(model));
    }
  }
  for (const { overlay, files } of model.overlays) {
    for (const [path, hash] of files) expect(sha256(await overlay.readFileBytes(path))).toBe(hash);
    overlay[Symbol.dispose]();
  }
  await maintain(scene.store, { graceMs: 0 });
  expect(await damages(storage, bucketOptions(bucket))).toEqual([]);
  expect(await orphans(storage, { keys: async () => [...bucket.objects.keys()] })).toEqual([]);
}

test("overlays, commits, merges, history, maintenance and crashes, in any order", { timeout: 60_000 }, () =>
  withStorage(async (storage) => {
    createJournal(storage);
    const { TENREC_SEED: seed } = typeof process === "undefined" ? {} : process.env;
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 40 }), (operations) => play(storage, operations)),
      { numRuns: 60, endOnFailure: true, ...(seed ? { seed: Number(seed) } : {}) },
    );
  }),
);
