import { describe, expect, test } from "vitest";
import type { StorageLike } from "../sql.ts";
import { withStorage } from "../with-store.ts";
import { openWorkspace } from "./with-git.ts";
import {
  fakeCommit,
  fakeObject,
  type FakeObject,
  fakePack,
  fakeServer,
  fakeTree,
  serverOfTree,
} from "./with-fake-server.ts";

const URL = "https://example.com/hostile.git";
const evil = fakeObject(3, "#!/bin/sh\necho evil\n");
const good = fakeObject(3, "good\n");
const link = (target: string): FakeObject => fakeObject(3, target);
const inner = fakeTree([["100644", "x", evil]]);

async function startWith(storage: StorageLike) {
  const workspace = openWorkspace(storage);
  await workspace.call(async (_, overlay) => {
    await overlay.writeFile("/mine.txt", "mine\n");
    await overlay.mkdir("/real");
    await overlay.symlink("real", "/linked");
  });
  return workspace;
}

const FILE_NAMES: readonly (string | Uint8Array)[] = [
  ".git",
  ".GIT",
  ".Git",
  ".git ",
  ".git.",
  ".git. .",
  ".g\u200cit",
  ".gi\u200dt",
  "\ufeff.git",
  "git~1",
  "GIT~1",
  ".git::$INDEX_ALLOCATION",
  ".git:x",
  "..",
  ".",
  "a\\..\\b",
  "..\\x",
  "\\x",
  "a/../../x",
  "a/b",
  "/etc/passwd",
  "",
  "n".repeat(256),
  new Uint8Array([0x61, 0xff]),
  ".. ",
  ". ",
];

const TREES: readonly [name: string, tree: FakeObject, objects: readonly FakeObject[]][] = [
  ...FILE_NAMES.map((name): [string, FakeObject, FakeObject[]] => [
    `a file ${JSON.stringify(String(name).slice(0, 20))}`,
    fakeTree([
      ["100644", "ok", good],
      ["100644", name, evil],
    ]),
    [good, evil],
  ]),
  ...FILE_NAMES.filter((name) => typeof name === "string").map((name): [string, FakeObject, FakeObject[]] => [
    `a folder ${JSON.stringify(name.slice(0, 20))}`,
    fakeTree([["40000", name, inner]]),
    [inner, evil],
  ]),
  ["a link into .git", fakeTree([["120000", "l", link(".git/config")]]), [link(".git/config")]],
  ["a link into .git by way of ..", fakeTree([["120000", "l", link("../a/.GIT")]]), [link("../a/.GIT")]],
  ["a link into .git on Windows", fakeTree([["120000", "l", link("a\\.git\\hooks")]]), [link("a\\.git\\hooks")]],
  ["a link without a target", fakeTree([["120000", "l", link("")]]), [link("")]],
  ["a link with a NUL", fakeTree([["120000", "l", link("a\0b")]]), [link("a\0b")]],
  [
    "a link and a folder of one name",
    fakeTree([
      ["120000", "a", link("/")],
      ["40000", "a", inner],
    ]),
    [link("/"), inner, evil],
  ],
  [
    "a link and a folder but for their case",
    fakeTree([
      ["120000", "A", link("/")],
      ["40000", "a", inner],
    ]),
    [link("/"), inner, evil],
  ],
  [
    "a folder and a link but for their case",
    fakeTree([
      ["40000", "A", inner],
      ["120000", "a", link("/")],
    ]),
    [link("/"), inner, evil],
  ],
  [
    "two files of one name",
    fakeTree([
      ["100644", "a", good],
      ["100644", "a", evil],
    ]),
    [good, evil],
  ],
  ["a mode that is none", fakeTree([["107777", "a", good]]), [good]],
  ["a device", fakeTree([["20644", "a", good]]), [good]],
  ["a tree that is a blob", fakeTree([["40000", "a", good]]), [good]],
  ["a file that is missing", fakeTree([["100644", "a", good]]), []],
  ["a tree that is cut off", fakeObject(2, "100644 a\0short"), []],
];

describe("a hostile commit is refused, and nothing has changed", () => {
  test.each(TREES)("%s", (_, tree, objects) =>
    withStorage(async (storage) => {
      const workspace = await startWith(storage);
      const before = await workspace.files();
      const unique = [...new Map(objects.map((object) => [object.oid, object])).values()];
      const cloned = workspace.call((git) => git.clone({ url: URL }), { fetch: serverOfTree(tree, unique) });
      await expect(cloned).rejects.toMatchObject({ code: expect.stringMatching(/^git-(refused|not-found)$/) });
      expect(await workspace.files()).toEqual(before);
      expect(workspace.gitFiles()).toEqual({});
    }),
  );

  test("a tree that goes deeper than any path", () =>
    withStorage(async (storage) => {
      const workspace = await startWith(storage);
      const trees = [fakeTree([["100644", "x", good]])];
      for (let depth = 0; depth < 300; depth++) trees.unshift(fakeTree([["40000", "d", trees[0] ?? good]]));
      const [root = good, ...rest] = trees;
      const cloned = workspace.call((git) => git.clone({ url: URL }), { fetch: serverOfTree(root, [...rest, good]) });
      await expect(cloned).rejects.toMatchObject({ code: "git-refused" });
    }));

  // Ten trees that each name the next one ten times are ten thousand million files.
  test("a few trees that stand for very many files", () =>
    withStorage(async (storage) => {
      const workspace = await startWith(storage);
      const trees = [fakeTree([["100644", "x", good]])];
      for (let depth = 0; depth < 10; depth++) {
        const [below = good] = trees;
        trees.unshift(fakeTree(Array.from({ length: 10 }, (_, index) => ["40000", `d${index}`, below] as const)));
      }
      const [root = good, ...rest] = trees;
      const cloned = workspace.call((git) => git.clone({ url: URL }), {
        fetch: serverOfTree(root, [...rest, good]),
        limits: { maxEntries: 2000 },
      });
      await expect(cloned).rejects.toMatchObject({ code: "git-too-large", data: { limit: 2000 } });
    }));
});

describe("what looks odd and is harmless", () => {
  test("names that differ only in case are two files, and a link out of the tree stays inside", () =>
    withStorage(async (storage) => {
      const workspace = openWorkspace(storage);
      const out = link("../../../etc/passwd");
      const tree = fakeTree([
        ["100644", "README", good],
        ["120000", "out", out],
        ["100644", "readme", evil],
      ]);
      await workspace.call((git) => git.clone({ url: URL }), { fetch: serverOfTree(tree, [good, evil, out]) });
      expect(Object.keys(await workspace.files())).toEqual(["/README", "/out", "/readme"]);
      expect(await workspace.tree.overlay(workspace.tree.head("main")).exists("/out")).toBe(false);
    }));

  test("a submodule is a folder: its address is not asked, options in it are not read", () =>
    withStorage(async (storage) => {
      const workspace = openWorkspace(storage);
      const modules = fakeObject(
        3,
        '[submodule "x"]\n\tpath = sub\n\turl = file:///etc\n\tupdate = !evil\n[submodule "-u"]\n\turl = -u./evil\n',
      );
      const tree = fakeTree([
        ["100644", ".gitmodules", modules],
        ["160000", "sub", { ...good, oid: "1".repeat(40) }],
      ]);
      const asked: string[] = [];
      const server = serverOfTree(tree, [modules]);
      await workspace.call((git) => git.clone({ url: URL }), {
        fetch: (url, init) => {
          asked.push(url);
          return server(url, init);
        },
      });
      expect(asked.every((url) => url.startsWith(`${URL}/`))).toBe(true);
      const overlay = workspace.tree.overlay(workspace.tree.head("main"));
      expect((await overlay.stat("/sub")).type).toBe("directory");
      expect((await workspace.call((git) => git.status())).entries).toEqual([]);
      const kept = await workspace.call(async (git, tree) => {
        await tree.writeFile("/new.txt", "x");
        await git.add(["/"]);
        await git.commit({ message: "beside it" });
        return git.diff({ from: { commit: "HEAD~1" }, to: { commit: "HEAD" } });
      });
      expect(kept.map(({ path }) => path)).toEqual(["/new.txt"]);
    }));

  test("nothing is written through a link that is there already", () =>
    withStorage(async (storage) => {
      const workspace = await startWith(storage);
      const tree = fakeTree([["40000", "linked", inner]]);
      const fetch = serverOfTree(tree, [inner, evil]);
      const cloned = workspace.call((git) => git.clone({ url: URL }), { fetch });
      await expect(cloned).rejects.toMatchObject({ code: "git-local-changes", data: { paths: ["/linked"] } });
      expect(Object.keys(await workspace.files())).toEqual(["/linked", "/mine.txt"]);
    }));
});

describe("refs of a hostile server", () => {
  const tree = fakeTree([["100644", "ok", good]]);
  const names = [
    "refs/heads/../../x",
    "refs/heads/HEAD",
    "refs/heads/a..b",
    "refs/heads/a.lock",
    "refs/heads/.a",
    "refs/heads/a b",
    "refs/heads/-u",
    "refs/../config",
    "x",
    "refs/heads/a\\b",
  ];
  test.each([...names, "refs/tags/HEAD"])("%s", (name) =>
    withStorage(async (storage) => {
      const workspace = await startWith(storage);
      const commit = fakeCommit(tree);
      const refs = { HEAD: commit.oid, "refs/heads/main": commit.oid, [name]: commit.oid };
      const fetch = fakeServer({ refs, pack: fakePack([commit, tree, good]) });
      const cloned = workspace.call((git) => git.clone({ url: URL, singleBranch: false, tags: true }), { fetch });
      await expect(cloned).rejects.toMatchObject({ code: "git-refused" });
      expect(workspace.gitFiles()).toEqual({});
    }),
  );

  test.each(["refs/heads/../../config", "../index", "refs/heads/gone"])("HEAD that leads to %s", (symref) =>
    withStorage(async (storage) => {
      const workspace = await startWith(storage);
      const commit = fakeCommit(tree);
      const refs = { HEAD: commit.oid, "refs/heads/main": commit.oid };
      const fetch = fakeServer({ refs, pack: fakePack([commit, tree, good]), symref });
      await workspace.call((git) => git.clone({ url: URL }), { fetch }).catch(() => undefined);
      const paths = Object.keys(workspace.gitFiles()).filter((path) => !path.startsWith("objects/"));
      const expected = [
        "HEAD",
        "config",
        "index",
        "refs/remotes/origin/HEAD",
        "refs/remotes/origin/main",
        "refs/remotes/origin/gone",
      ];
      expect(paths.filter((path) => !expected.includes(path))).toEqual([]);
    }),
  );
});
