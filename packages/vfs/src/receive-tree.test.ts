import { describe, expect, test } from "vitest";
import { maintain } from "./maintain.ts";
import { receiveTree } from "./receive-tree.ts";
import type { TreeSource } from "./tree-source.ts";
import { TreeStore } from "./tree-store.ts";
import { type Elsewhere, withSource } from "./with-source.ts";
import { withStorage } from "./with-store.ts";

interface Two extends Elsewhere {
  readonly here: TreeStore;
  /** The tree that is there. */
  readonly tree: string;
}

async function fill(store: TreeStore): Promise<string> {
  store.setHead("main", store.emptyTree);
  using overlay = store.overlay(store.head("main"));
  for (let count = 0; count < 300; count++) await overlay.writeFile(`/many/${count}.txt`, `text ${count % 50}`);
  await overlay.writeFile("/empty", "");
  await overlay.writeFileBytes("/large", new Uint8Array(3 * 1024 * 1024).fill(9));
  await overlay.symlink("many/1.txt", "/link");
  await overlay.mkdir("/bare/inside", { recursive: true });
  await overlay.chmod("/large", 0o755);
  const { tree } = store.commit("main", await store.stage(overlay));
  await maintain(store);
  expect(store.usage().bucket.objects).toBe(1);
  return tree;
}

/** A store here, and one elsewhere that has something of everything. */
function withTwo(run: (two: Two) => Promise<void>): Promise<void> {
  return withStorage((storage) =>
    withSource(async (elsewhere) => {
      const tree = await elsewhere.enter(fill);
      await run({ ...elsewhere, here: new TreeStore(storage), tree });
    }),
  );
}

/** A stub has no properties to spread. */
function plain(source: TreeSource): TreeSource {
  return {
    nodes: (hashes) => source.nodes(hashes),
    contents: (hashes) => source.contents(hashes),
    content: (hash, size) => source.content(hash, size),
  };
}

describe("receiveTree", () => {
  test("copies a tree that the store does not have, contents in the other one's bucket included", () =>
    withTwo(async ({ here, source, tree, enter }) => {
      const progress: number[] = [];
      const got = await receiveTree(here, tree, source, { onProgress: ({ bytes }) => progress.push(bytes) });
      expect(got).toMatchObject({ contents: 51 });
      expect(progress.at(-1)).toBe(got.bytes);
      here.setHead("main", tree);
      expect(here.manifest(tree)).toEqual(await enter(async (there) => there.manifest(tree)));
      const overlay = here.overlay(tree);
      expect(await overlay.readFile("/many/299.txt")).toBe("text 49");
      expect((await overlay.readFileBytes("/large")).every((byte) => byte === 9)).toBe(true);
      expect(await overlay.readFile("/empty")).toBe("");
    }));

  test("fetches only what is missing", () =>
    withTwo(async ({ here, source, tree, enter }) => {
      await receiveTree(here, tree, source);
      const changed = await enter(async (there) => {
        using overlay = there.overlay(tree);
        await overlay.writeFile("/many/7.txt", "changed");
        return there.commit("main", await there.stage(overlay)).tree;
      });
      const got = await receiveTree(here, changed, source);
      expect(got).toEqual({ nodes: 3, contents: 1, bytes: 7 });
      expect(await receiveTree(here, changed, source)).toEqual({ nodes: 0, contents: 0, bytes: 0 });
    }));

  test("what is cut off leaves no tree, and goes on where it was", () =>
    withTwo(async ({ here, source, tree, enter }) => {
      const cut: TreeSource = { ...plain(source), content: () => Promise.reject(new Error("gone")) };
      await expect(receiveTree(here, tree, cut)).rejects.toThrow("gone");
      expect(() => here.overlay(tree)).toThrow(expect.objectContaining({ code: "tree-not-found" }));
      const got = await receiveTree(here, tree, source);
      expect(got.contents).toBe(1);
      expect(here.manifest(tree)).toEqual(await enter(async (there) => there.manifest(tree)));
    }));

  const LIES: Record<string, (source: TreeSource) => Partial<TreeSource>> = {
    "a node that is not what its hash says": (source) => ({
      nodes: async (hashes) => (await source.nodes(hashes)).map((node) => ({ ...node, entries: "[]" })),
    }),
    "a content that is not what its hash says": (source) => ({
      contents: async (hashes) =>
        (await source.contents(hashes)).map(({ hash }) => ({ hash, bytes: new Uint8Array([1]) })),
    }),
    "a large content that is not what its hash says": () => ({
      content: async () => new Blob([new Uint8Array(3 * 1024 * 1024)]).stream(),
    }),
    "a content that never ends": () => ({
      content: async () =>
        new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024)) }),
    }),
    nothing: () => ({ nodes: async () => [] }),
  };

  test.each(Object.entries(LIES))("refuses a source that gives %s", (_, lie) =>
    withTwo(async ({ here, source, tree }) => {
      await expect(receiveTree(here, tree, { ...plain(source), ...lie(source) })).rejects.toMatchObject({
        code: expect.stringMatching(/^(EIO|EFBIG)$/),
      });
      expect(() => here.manifest(tree)).toThrow(expect.objectContaining({ code: "tree-not-found" }));
    }),
  );
});
