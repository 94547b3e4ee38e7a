import type { TreeSource } from "../tree-source.ts";
import type { StorageLike } from "../sql.ts";
import type { TreeStore } from "../tree-store.ts";
import type { Overlay } from "../overlay/overlay.ts";
import { importEntries } from "../archive/import-entries.ts";
import { maintain } from "../maintain.ts";
import { receiveTree } from "../receive-tree.ts";
import { copySource } from "./with-copied-source.ts";

/** What the steps of a scenario work on. */
export interface Scene {
  readonly store: TreeStore;
  /** That of the store, for the caller's own rows. */
  readonly storage: StorageLike;
  /** What the setup leaves for the steps: another store's tree. */
  source?: { readonly tree: string; readonly from: TreeSource };
}

/** Changes heads, checkpoints and the caller's rows once at most. */
export type Step = (scene: Scene) => Promise<unknown>;

export interface Scenario {
  readonly name: string;
  readonly setup: readonly Step[];
  readonly steps: readonly Step[];
  /** Several things at a time: how many boundaries there are depends on chance. */
  readonly isConcurrent?: boolean;
}

const MEBIBYTE = 1024 * 1024;
/** The smallest that moves to the bucket in these tests. */
export const THRESHOLD: number = MEBIBYTE;

/** Bytes that are the same every time and different for each seed. */
export function someBytes(seed: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0, state = seed * 2654435761 + 1; at < length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

const large = someBytes(1, MEBIBYTE + 100);
const other = someBytes(2, MEBIBYTE + 200);
const multipart = someBytes(3, 8 * MEBIBYTE + 300);

const rowFor =
  ({ storage }: Scene) =>
  (commit: { head: string; tree: string }) =>
    void storage.sql.exec("INSERT INTO journal (head, tree) VALUES (?, ?)", commit.head, commit.tree);

async function commitTo(scene: Scene, overlay: Overlay, head = "main"): Promise<string> {
  const staged = await scene.store.stage(overlay);
  return scene.store.commit(head, staged, rowFor(scene)).tree;
}

function edit(change: (overlay: Overlay) => Promise<unknown>): Step {
  return async (scene) => {
    using overlay = scene.store.overlay(scene.store.head("main"));
    await change(overlay);
    await commitTo(scene, overlay);
  };
}

const write = (path: string, content: Uint8Array | string): Step =>
  edit((overlay) => overlay.writeFileBytes(path, typeof content === "string" ? encoder.encode(content) : content));
const encoder = new TextEncoder();

const start: Step = async ({ store }) => store.setHead("main", store.emptyTree);
const files = edit(async (overlay) => {
  await overlay.writeFile("/a.txt", "a");
  await overlay.writeFile("/dir/b.txt", "b");
  await overlay.writeFileBytes("/dir/big", large);
});
const tidy: Step = async ({ store }) => maintain(store, { graceMs: 0 });
/** Small files and a large one in rows. */
const inRows = [start, files];
/** The large one is in the bucket. */
const inBucket = [start, files, tidy];
const checkpoint: Step = async ({ store }) => store.checkpoint("main", "kept");

async function* pieces(count: number, seed: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index++) yield someBytes(seed + index, 600_000);
}

async function expectCode(code: string, work: Promise<unknown>): Promise<void> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason as { code?: string },
  );
  if (error?.code !== code) throw error ?? new Error(`this should have been ${code}`);
}

/** Waits for all of them, and fails as the first one does. */
async function together(...work: Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === "rejected") throw result.reason;
}

const many = Array.from({ length: 140 }, (_, index) => {
  const content = encoder.encode(`number ${index % 20}`);
  return { kind: "file" as const, path: `/many/f${index}`, mode: 0o644, size: content.length, content };
});

/** A tree that the store has had, and has no more, with a part that it still has. */
const otherStore: Step = async (scene) => {
  const { store } = scene;
  const before = store.head("main");
  using overlay = store.overlay(before);
  await overlay.writeFile("/dir/from/elsewhere.txt", "elsewhere");
  await overlay.writeFileBytes("/dir/from/large", other);
  const { tree } = store.commit("main", await store.stage(overlay));
  scene.source = { tree, from: await copySource(store, tree) };
  store.setHead("main", before);
  overlay[Symbol.dispose]();
  await maintain(store, { graceMs: 0 });
};

/** Each of them is killed at every boundary. */
export const scenarios: readonly Scenario[] = [
  { name: "create the tables and the first commit", setup: [], steps: [start, files] },
  { name: "write a small file", setup: inRows, steps: [write("/new.txt", "new")] },
  { name: "write a large file", setup: inRows, steps: [write("/new", other)] },
  { name: "overwrite a small file", setup: inRows, steps: [write("/a.txt", "changed")] },
  { name: "overwrite a large file", setup: inBucket, steps: [write("/dir/big", other), tidy] },
  { name: "shrink a large file to a small one", setup: inBucket, steps: [write("/dir/big", "small"), tidy] },
  { name: "shrink a large file to nothing", setup: inBucket, steps: [write("/dir/big", ""), tidy] },
  { name: "grow a small file to a large one", setup: inRows, steps: [write("/a.txt", other), tidy] },
  {
    name: "rename a large file",
    setup: inBucket,
    steps: [edit((overlay) => overlay.mv("/dir/big", "/renamed")), tidy],
  },
  {
    name: "move a directory with a large file",
    setup: inBucket,
    steps: [edit((overlay) => overlay.mv("/dir", "/x")), tidy],
  },
  { name: "delete a large file", setup: inBucket, steps: [edit((overlay) => overlay.rm("/dir/big")), tidy] },
  {
    name: "append to a small and to a large file",
    setup: inBucket,
    steps: [
      edit((overlay) => overlay.appendFile("/a.txt", " and more")),
      edit((overlay) => overlay.appendFile("/dir/big", "more")),
      tidy,
    ],
  },
  {
    name: "change a mode and make a link",
    setup: inRows,
    steps: [edit((overlay) => overlay.chmod("/a.txt", 0o755)), edit((overlay) => overlay.symlink("dir/big", "/link"))],
  },
  {
    name: "import many files, then take most of them away",
    setup: inRows,
    steps: [
      edit((overlay) => importEntries(overlay, many)),
      edit(async (overlay) => {
        for (const { path } of many.slice(20)) await overlay.rm(path);
      }),
      tidy,
    ],
  },
  {
    name: "merge two overlays",
    setup: inRows,
    steps: mergeTwo(),
  },
  {
    name: "refuse an overlap, and rows that fail",
    setup: inRows,
    steps: [
      async (scene) => {
        using late = scene.store.overlay(scene.store.head("main"));
        await late.writeFile("/a.txt", "late");
        await write("/a.txt", "early")(scene);
        await expectCode("tree-conflict", commitTo(scene, late));
      },
      async (scene) => {
        using overlay = scene.store.overlay(scene.store.head("main"));
        await overlay.writeFile("/never.txt", "never");
        const staged = await scene.store.stage(overlay);
        const failing = async (): Promise<unknown> =>
          scene.store.commit("main", staged, (commit) => {
            rowFor(scene)(commit);
            throw Object.assign(new Error("no"), { code: "no" });
          });
        await expectCode("no", failing());
      },
    ],
  },
  {
    name: "checkpoint, change, revert",
    setup: inRows,
    steps: [
      checkpoint,
      write("/a.txt", "changed"),
      async (scene) => {
        const [first] = scene.store.checkpoints("main");
        scene.store.revert("main", first?.tree ?? "", rowFor(scene));
      },
      tidy,
    ],
  },
  {
    name: "prune checkpoints",
    setup: [...inRows, checkpoint, write("/dir/big", other), checkpoint, write("/a.txt", "newest"), checkpoint],
    steps: [async ({ store }) => maintain(store, { graceMs: 0, maxCheckpoints: 1 })],
  },
  {
    name: "fork and remove a head",
    setup: inBucket,
    steps: [
      async ({ store }) => store.setHead("fork", store.head("main")),
      edit((overlay) => overlay.rm("/dir", { recursive: true })),
      tidy,
      async ({ store }) => store.removeHead("fork"),
      tidy,
    ],
  },
  { name: "move a content to the bucket", setup: inRows, steps: [tidy] },
  {
    name: "move a content to the bucket in parts",
    setup: [start, write("/large", multipart)],
    steps: [tidy],
  },
  {
    name: "read from the bucket",
    setup: inBucket,
    steps: [
      async ({ store }) => {
        using overlay = store.overlay(store.head("main"));
        await overlay.readFileBytes("/dir/big");
        await overlay.readRange("/dir/big", 10, 10);
        for await (const _ of overlay.readFileStream("/dir/big"));
      },
    ],
  },
  {
    name: "sweep what a removed head had",
    setup: [
      ...inBucket,
      async ({ store }) => store.setHead("fork", store.head("main")),
      edit(async (overlay) => {
        await importEntries(overlay, many);
        await overlay.writeFileBytes("/many/large", other);
      }),
      async ({ store }) => store.setHead("main", store.emptyTree),
      async ({ store }) => store.removeHead("fork"),
    ],
    steps: [tidy],
  },
  {
    name: "receive a tree",
    setup: [...inRows, otherStore],
    steps: [
      async ({ store, source }) => source && receiveTree(store, source.tree, source.from),
      async ({ store, source }) => source && receiveTree(store, source.tree, source.from),
      async ({ store, source }) => {
        if (source) await receiveTree(store, source.tree, source.from);
        store.setHead("received", source?.tree ?? "");
      },
    ],
  },
  {
    name: "write a stream",
    setup: inRows,
    steps: [edit((overlay) => overlay.writeFileStream("/stream", pieces(5, 10))), tidy],
  },
  {
    name: "write a stream that breaks off",
    setup: inRows,
    steps: [
      edit(async (overlay) => {
        async function* broken(): AsyncGenerator<Uint8Array> {
          yield* pieces(4, 20);
          throw Object.assign(new Error("broken"), { code: "broken" });
        }
        await expectCode("broken", overlay.writeFileStream("/stream", broken()));
      }),
      tidy,
    ],
  },
  {
    name: "commit while a maintenance runs",
    isConcurrent: true,
    setup: [...inRows, checkpoint, write("/dir/big", other)],
    steps: [
      async (scene) => {
        await together(maintain(scene.store, { graceMs: 0 }), write("/during.txt", "during")(scene));
      },
      async (scene) => {
        const streaming = edit((overlay) => overlay.writeFileStream("/dir/during", pieces(4, 30)));
        await together(maintain(scene.store, { graceMs: 0 }), streaming(scene));
      },
    ],
  },
  {
    name: "write again what is being swept",
    isConcurrent: true,
    setup: [...inBucket, write("/dir/big", "gone")],
    steps: [
      async (scene) => {
        const later = new Promise((done) => setTimeout(done, 1));
        await together(
          maintain(scene.store, { graceMs: 0 }),
          later.then(() => write("/dir/again", large)(scene)),
        );
      },
      tidy,
    ],
  },
  {
    name: "sweep around an open overlay",
    setup: inBucket,
    steps: [
      async (scene) => {
        using overlay = scene.store.overlay(scene.store.head("main"));
        await overlay.writeFileStream("/stored", pieces(4, 40));
        scene.store.setHead("main", scene.store.emptyTree);
        await maintain(scene.store, { graceMs: 0 });
        // Both have to be there still.
        await overlay.readFileBytes("/dir/big");
        for await (const _ of overlay.readFileStream("/stored"));
      },
      tidy,
    ],
  },
];

function mergeTwo(): Step[] {
  let staged: Awaited<ReturnType<TreeStore["stage"]>> | undefined;
  return [
    async (scene) => {
      using one = scene.store.overlay(scene.store.head("main"));
      const two = scene.store.overlay(scene.store.head("main"));
      await one.writeFile("/one.txt", "one");
      await two.writeFile("/dir/two.txt", "two");
      staged = await scene.store.stage(two);
      await commitTo(scene, one);
    },
    async (scene) => {
      if (staged) scene.store.commit("main", staged, rowFor(scene));
      staged = undefined;
    },
  ];
}
