import type { FileDiff } from "@tenrec/protocol";
import { TreeStore } from "@tenrec/vfs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withStorage } from "../with-storage.ts";
import { applyPatch } from "./apply-patch.ts";

/** By path without the first slash: text, an executable file, or a link. */
type Tree = Readonly<Record<string, string | { readonly run: string } | { readonly to: string }>>;

const LINES = Array.from({ length: 30 }, (_, index) => `a line of its own, number ${index}`);
const text = (lines: readonly string[]): string => `${lines.join("\n")}\n`;
const WHOLE = text(LINES);
const EDITED = text(LINES.with(3, "another").with(20, "one more"));

const CASES: Readonly<Record<string, readonly [Tree, Tree]>> = {
  "an edit": [{ a: WHOLE }, { a: EDITED }],
  "a new file and a gone one": [{ a: "1\n" }, { "d/b": "2\n3\n" }],
  "empty files": [
    { a: "", keep: "1" },
    { b: "x", keep: "1", none: "" },
  ],
  "no newline at the end": [
    { a: "1\n2", b: "1\n", c: "x" },
    { a: "1\n3", b: "1", c: "x\n" },
  ],
  "a rename": [{ a: WHOLE }, { "d/b": WHOLE }],
  "a rename with an edit that becomes executable": [{ a: WHOLE }, { b: { run: EDITED } }],
  "two that change places": [
    { a: WHOLE, b: "b\n" },
    { a: "b\n", b: WHOLE },
  ],
  "a link moves": [{ l: { to: "a b" } }, { m: { to: "a b" } }],
  "a link leads elsewhere": [{ l: { to: "a" } }, { l: { to: "b" } }],
  "a file becomes a link": [{ a: "1\n" }, { a: { to: "x" } }],
  "a link becomes a file": [{ a: { to: "x" } }, { a: "1\n" }],
  "only the mode": [
    { a: "1\n", b: { run: "2\n" } },
    { a: { run: "1\n" }, b: "2\n" },
  ],
  "odd names": [
    { "a b": "1\n", 'q"': "1\n", "t\tab": WHOLE, "ünï 日": "1\n", "back\\slash": "1\n", "\u0001\u007f": "1\n" },
    { "a b": "2\n", 'q"': "2\n", "n\new l": EDITED, "ünï 日": "2\n", "back\\slash": "2\n", "\u0001\u007f": "2\n" },
  ],
  "names of a patch": [
    { "b/a/b": "1\n", "-x": "1\n", "a ": "1\n" },
    { "b/a/b": "2\n", "-x": "2\n", "a ": "2\n" },
  ],
  "a file becomes a folder": [
    { a: WHOLE, b: "x\n" },
    { "a/b": WHOLE, b: "x\n" },
  ],
  "a folder becomes a file": [{ "a/b": WHOLE }, { a: WHOLE }],
  "carriage returns": [
    { a: "1\r\n2\r\n3\r\n", b: "\ufeff1\r\n", c: "a\rb" },
    { a: "1\r\n2\n3\r\n", b: "1\n", c: "a\rc\r" },
  ],
  "lines like those of a patch": [
    { a: "--- x\n+++ y\n@@ -1 +1 @@\n", b: "-- x\n1\n" },
    { a: "--- x\n++ y\n*** End Patch\n", b: "1\n++ y\n" },
  ],
};

async function check(before: Tree, after: Tree): Promise<void> {
  await withStorage(async (storage) => {
    const store = new TreeStore(storage, { now: () => 0 });
    const commit = async (head: string, tree: Tree): Promise<string> => {
      const overlay = store.overlay(store.emptyTree);
      for (const [path, node] of Object.entries(tree)) {
        if (typeof node === "object" && "to" in node) await overlay.symlink(node.to, `/${path}`).catch(() => undefined);
        else await overlay.writeFile(`/${path}`, typeof node === "string" ? node : node.run);
        if (typeof node === "object" && "run" in node) await overlay.chmod(`/${path}`, 0o755);
      }
      store.setHead(head, store.emptyTree);
      return store.commit(head, await store.stage(overlay)).tree;
    };
    const [from, to] = [await commit("a", before), await commit("b", after)];
    const diffs: FileDiff[] = await store.diff(from, to);
    const patch = diffs.map((diff) => diff.patch).join("");
    if (patch === "") return;
    const overlay = store.overlay(from);
    await applyPatch({ fs: overlay }, { patch }, new AbortController().signal);
    expect(store.commit("a", await store.stage(overlay)).tree).toBe(to);
  });
}

describe("a diff that Tenrec exports, applied", { timeout: 60_000 }, () => {
  it.each(Object.entries(CASES))("gives the tree: %s", (_, [before, after]) => check(before, after));

  it("gives the tree, for any two trees", async () => {
    const path = fc
      .array(fc.constantFrom("a", "b", "c d", "é"), { minLength: 1, maxLength: 3 })
      .map((names) => names.join("/"));
    const line = fc.constantFrom(
      "1",
      "2",
      "three",
      "",
      "--- x",
      "+++ y",
      "@@ -1 +1 @@",
      "*** End Patch",
      "\\ x",
      "a\r",
    );
    const node = fc.oneof(
      fc
        .tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
        .map(([list, ends]) => list.join("\n") + (ends ? "\n" : "")),
      fc.constantFrom({ to: "nowhere" }, { to: "no way" }, { run: WHOLE }, WHOLE, EDITED),
    );
    const tree = fc.array(fc.tuple(path, node), { maxLength: 6 }).map(treeFrom);
    await fc.assert(fc.asyncProperty(tree, tree, check), { numRuns: 150 });
  });
});

/** Paths that can be together, the first ones first. */
function treeFrom(list: readonly (readonly [string, Tree[string]])[]): Tree {
  const tree: Record<string, Tree[string]> = {};
  for (const [path, node] of list) {
    const isFree = Object.keys(tree).every(
      (other) => !`${other}/`.startsWith(`${path}/`) && !`${path}/`.startsWith(`${other}/`),
    );
    if (isFree) tree[path] = node;
  }
  return tree;
}
