import { execFileSync } from "node:child_process";
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import type { FileDiff } from "@tenrec/protocol";
import { describe, expect, test } from "vitest";
import { importEntries } from "./archive/import-entries.ts";
import { file, link } from "./archive/with-entries.ts";
import { quoteName } from "./git-patch.ts";
import { TreeStore } from "./tree-store.ts";
import { withStorage } from "./with-store.ts";

/** By path without the first slash: text, an executable file, or a link. */
type Tree = Readonly<Record<string, string | { readonly run: string } | { readonly to: string }>>;

const LINES = Array.from({ length: 30 }, (_, index) => `a line of its own, number ${index}`);
const text = (lines: readonly string[]): string => `${lines.join("\n")}\n`;
const WHOLE = text(LINES);
const EDITED = text(LINES.with(3, "another").with(20, "one more"));

const CASES: Readonly<Record<string, readonly [Tree, Tree]>> = {
  "an edit": [{ a: WHOLE }, { a: EDITED }],
  "an edit of one line": [{ a: "1\n" }, { a: "2\n" }],
  "a new file and a gone one": [{ a: "1\n" }, { "d/b": "2\n3\n" }],
  "empty files": [
    { a: "", keep: "1" },
    { b: "x", keep: "1" },
  ],
  "an empty file moves": [{ a: "" }, { b: "" }],
  "no newline at the end": [
    { a: "1\n2", b: "1\n", c: "x" },
    { a: "1\n3", b: "1", c: "x\n" },
  ],
  "a rename": [{ a: WHOLE }, { "d/b": WHOLE }],
  "a rename with an edit": [{ a: WHOLE }, { b: EDITED }],
  "a rename that becomes executable": [{ a: WHOLE }, { b: { run: WHOLE } }],
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
  "carriage returns": [{ a: "1\r\n2\r\n3\r\n" }, { a: "1\r\n2\n3\r\n" }],
  "binary files": [
    { a: "a\0b", same: WHOLE },
    { a: "a\0c", new: "\0", moved: WHOLE },
  ],
};

const isLink = (node: unknown): boolean => typeof node === "object" && node !== null && "to" in node;
const isBelow = (tree: Tree, folder: string): boolean =>
  Object.keys(tree).some((path) => path.startsWith(`${folder}/`));

const hasGit = ((): boolean => {
  try {
    execFileSync("git", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();
if (!hasGit) console.log("git is missing: what compares with it is skipped");

async function diffOf(before: Tree, after: Tree): Promise<FileDiff[]> {
  return withStorage(async (storage) => {
    const store = new TreeStore(storage);
    const commit = async (head: string, tree: Tree): Promise<string> => {
      const overlay = store.overlay(store.emptyTree);
      const entries = Object.entries(tree).map(([path, node]) => {
        if (typeof node === "string") return file(`/${path}`, node);
        return "to" in node ? link(`/${path}`, node.to) : file(`/${path}`, node.run, 0o755);
      });
      await importEntries(overlay, entries);
      store.setHead(head, store.emptyTree);
      return store.commit(head, await store.stage(overlay)).tree;
    };
    return store.diff(await commit("a", before), await commit("b", after));
  });
}

async function inRepository<T>(
  run: (folder: string, git: (args: string[], input?: string) => string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "tenrec-git-"));
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const config = ["-c", "core.quotePath=false", "-c", "core.autocrlf=false", "-c", "diff.renameLimit=1000"];
  const git = (args: string[], input?: string): string =>
    execFileSync("git", ["-C", folder, ...config, ...args], {
      env,
      encoding: "utf8",
      ...(input === undefined ? {} : { input }),
    });
  try {
    git(["init", "-q"]);
    return await run(folder, git);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function writeTree(folder: string, tree: Tree): Promise<void> {
  for (const name of await readdir(folder)) if (name !== ".git") await rm(join(folder, name), { recursive: true });
  for (const [path, node] of Object.entries(tree)) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    if (typeof node === "object" && "to" in node) await symlink(node.to, target);
    else await writeFile(target, typeof node === "string" ? node : node.run);
    if (typeof node === "object" && "run" in node) await chmod(target, 0o755);
  }
}

async function readTree(folder: string, path = ""): Promise<Tree> {
  const tree: Record<string, Tree[string]> = {};
  for (const name of (await readdir(join(folder, path))).sort()) {
    const inner = path + name;
    if (inner === ".git") continue;
    const stat = await lstat(join(folder, inner));
    if (stat.isDirectory()) Object.assign(tree, await readTree(folder, `${inner}/`));
    else if (stat.isSymbolicLink()) tree[inner] = { to: await readlink(join(folder, inner)) };
    else {
      const content = await readFile(join(folder, inner), "utf8");
      tree[inner] = stat.mode & 0o100 ? { run: content } : content;
    }
  }
  return tree;
}

/** Git's own patch without what it alone has: hashes, and the line of a program that a hunk is in. */
function plain(patch: string): string {
  return patch.replaceAll(/^index .*\n/gm, "").replaceAll(/^(@@ .*? @@).*$/gm, "$1");
}

describe.skipIf(!hasGit)("the patch of two trees", { timeout: 60_000 }, () => {
  test.each(Object.entries(CASES))("is git's: %s", (_, [before, after]) =>
    inRepository(async (folder, git) => {
      const trees: string[] = [];
      for (const tree of [before, after]) {
        await writeTree(folder, tree);
        git(["add", "-A"]);
        trees.push(git(["write-tree"]).trim());
      }
      expect((await diffOf(before, after)).map(({ patch }) => patch).join("")).toBe(
        plain(git(["diff", "-M", ...trees])),
      );
    }),
  );

  test.each(Object.entries(CASES).filter(([name]) => name !== "binary files"))(
    "is applied by git: %s",
    (_, [before, after]) =>
      inRepository(async (folder, git) => {
        const patch = (await diffOf(before, after)).map((diff) => diff.patch).join("");
        await writeTree(folder, before);
        git(["add", "-A"]);
        git(["apply", "--index", "--whitespace=nowarn", "-"], patch);
        expect(await readTree(folder)).toEqual(await sorted(after));
      }),
  );

  test(
    "of any two trees is applied by git",
    () =>
      inRepository(async (folder, git) => {
        const path = fc
          .array(fc.constantFrom("a", "b", "c d", "é"), { minLength: 1, maxLength: 3 })
          .map((names) => names.join("/"));
        const lines = fc.array(fc.constantFrom("1", "2", "three", "", "--- x", "@@ -1 +1 @@"), { maxLength: 12 });
        const node = fc.oneof(
          fc.tuple(lines, fc.boolean()).map(([list, ends]) => list.join("\n") + (ends ? "\n" : "")),
          fc.constantFrom({ to: "nowhere" }, { to: "no way" }, { run: WHOLE }, WHOLE, EDITED),
        );
        const tree = fc.array(fc.tuple(path, node), { maxLength: 6 }).map(treeFrom);
        await fc.assert(
          fc.asyncProperty(tree, tree, async (before, after) => {
            // Git does not apply its own patch of a link that moved into a folder in its place.
            fc.pre(!Object.entries(before).some(([link, there]) => isLink(there) && isBelow(after, link)));
            const patch = (await diffOf(before, after)).map((diff) => diff.patch).join("");
            await writeTree(folder, before);
            if (patch !== "") git(["apply", "--whitespace=nowarn", "-"], patch);
            expect(await readTree(folder)).toEqual(await sorted(after));
          }),
          { numRuns: 60 },
        );
      }),
    60_000,
  );
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

async function sorted(tree: Tree): Promise<Tree> {
  return Object.fromEntries(Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1)));
}

test.each([
  ["a b", "a b"],
  ["é日", "é日"],
  ['"', String.raw`"\""`],
  ["\\", String.raw`"\\"`],
  ["\u0007\b\t\n\v\f\r", String.raw`"\a\b\t\n\v\f\r"`],
  ["\u0001\u001f\u007f", String.raw`"\001\037\177"`],
])("the name %j is written as %s", (name, expected) => {
  expect(quoteName(name)).toBe(expected);
});
