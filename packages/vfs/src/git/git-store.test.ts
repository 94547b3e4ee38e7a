import { fileSystemCases } from "@tenrec/protocol/testing";
import { describe, expect, test } from "vitest";
import type { StorageLike } from "../sql.ts";
import { TreeStore } from "../tree-store.ts";
import { withStorage } from "../with-store.ts";
import { createGit } from "./create-git.ts";
import { GitStore } from "./git-store.ts";
import { fakeCommit, fakeObject, fakePack, fakeServer, fakeTree } from "./with-fake-server.ts";
import { AUTHOR, openWorkspace, type Workspace } from "./with-git.ts";

const HOUR = 60 * 60 * 1000;
const large = fakeObject(3, crypto.getRandomValues(new Uint8Array(60_000)));
const noise = Array.from({ length: 40 }, (_, index) => fakeObject(3, Uint8Array.from([index, ...large.bytes])));
const tree = fakeTree(noise.map((object, index) => ["100644", `f${10 + index}`, object] as const));
const tip = fakeCommit(tree);
const server = fakeServer({
  refs: { HEAD: tip.oid, "refs/heads/main": tip.oid },
  pack: fakePack([tip, tree, ...noise]),
});
const URL = "https://example.com/a.git";

async function commitFile(workspace: Workspace, path: string, text: string): Promise<string> {
  return workspace.call(async (git, overlay) => {
    await git.init();
    await overlay.writeFile(path, text);
    await git.add(["/"]);
    return git.commit({ message: text });
  });
}

function parts(storage: StorageLike): number {
  return storage.sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM tenrec_git_parts").toArray()[0]?.n ?? -1;
}

describe("a repository and its tree", () => {
  test("are committed together, or not at all", () =>
    withStorage(async (storage) => {
      const workspace = openWorkspace(storage);
      const first = await commitFile(workspace, "/a.txt", "1");
      const { tree: trees, store } = workspace;
      const overlay = trees.overlay(trees.head("main"));
      const git = createGit({ store, repository: "main", overlay, author: AUTHOR });
      await overlay.writeFile("/a.txt", "2");
      await git.add(["/a.txt"]);
      const second = await git.commit({ message: "2" });
      const staged = await trees.stage(overlay);
      await git.prepare();
      expect(workspace.refs()["refs/heads/main"]).toBe(first);
      const failing = (): unknown =>
        trees.commit("main", staged, () => {
          git.rows();
          throw new Error("the journal is full");
        });
      expect(failing).toThrow("the journal is full");
      expect([workspace.refs()["refs/heads/main"], await workspace.files()]).toEqual([first, { "/a.txt": "1" }]);
      trees.commit("main", staged, () => git.rows());
      expect([workspace.refs()["refs/heads/main"], await workspace.files()]).toEqual([second, { "/a.txt": "2" }]);
      git.rows();
      expect(workspace.refs()["refs/heads/main"]).toBe(second);
    }));

  test("going back to an earlier tree leaves every ref, and status tells the difference", () =>
    withStorage(async (storage) => {
      const workspace = openWorkspace(storage);
      await commitFile(workspace, "/a.txt", "1");
      const earlier = workspace.tree.head("main");
      const second = await workspace.call(async (git, overlay) => {
        await overlay.writeFile("/a.txt", "2");
        await overlay.writeFile("/b.txt", "b");
        await git.add(["/"]);
        return git.commit({ message: "2" });
      });
      const before = workspace.gitFiles();
      workspace.tree.setHead("main", earlier);
      expect(workspace.gitFiles()).toEqual(before);
      expect(await workspace.call((git) => git.status())).toEqual({
        branch: "main",
        commit: second,
        entries: [
          { path: "/a.txt", unstaged: "modify" },
          { path: "/b.txt", unstaged: "delete" },
        ],
      });
      await workspace.call((git) => git.checkout("main", { force: true }));
      expect(await workspace.files()).toEqual({ "/a.txt": "2", "/b.txt": "b" });
    }));

  test("an operation that fails in the middle leaves its call as it was", () =>
    withStorage(async (storage) => {
      const { tree: trees, store } = openWorkspace(storage);
      // Room for three of the forty files.
      const overlay = trees.overlay(trees.emptyTree, { maxBytes: 200_000 });
      await overlay.writeFile("/mine.txt", "mine");
      const git = createGit({ store, repository: "main", overlay, fetch: server });
      await expect(git.clone({ url: URL })).rejects.toMatchObject({ code: "ENOSPC" });
      expect([overlay.changes().map(({ path }) => path), overlay.bytes]).toEqual([["/mine.txt"], 4]);
      expect(await git.fileSystem.readdir("/")).toEqual(["mine.txt"]);
      storage.transactionSync(() => git.rows());
      expect(store.usage("main")).toEqual({ files: 0, bytes: 0 });
    }));

  test("two calls that move the same branch conflict, others do not", () =>
    withStorage(async (storage) => {
      const workspace = openWorkspace(storage);
      await commitFile(workspace, "/a.txt", "1");
      const { tree: trees, store } = workspace;
      const open = () => {
        const overlay = trees.overlay(trees.head("main"));
        return { overlay, git: createGit({ store, repository: "main", overlay, author: AUTHOR }) };
      };
      const [one, two, three] = [open(), open(), open()];
      await one.git.commit({ message: "one", allowEmpty: true });
      await two.git.commit({ message: "two", allowEmpty: true });
      await three.git.createBranch("other");
      const commit = (git: typeof one.git): void => storage.transactionSync(() => git.rows());
      commit(one.git);
      const lost = expect.objectContaining({ code: "tree-conflict", data: { paths: ["/.git/refs/heads/main"] } });
      expect(() => commit(two.git)).toThrow(lost);
      commit(three.git);
      const { local } = await workspace.call((git) => git.branches());
      expect(local).toEqual(["main", "other"]);
      const messages = (await workspace.call((git) => git.log())).map(({ message }) => message);
      expect(messages).toEqual(["one\n", "1\n"]);
    }));

  test("`.git` is in no tree, no search and no listing of the work tree", () =>
    withStorage(async (storage) => {
      const workspace = openWorkspace(storage);
      await commitFile(workspace, "/a.txt", "1");
      const overlay = workspace.tree.overlay(workspace.tree.head("main"));
      expect(await overlay.readdir("/")).toEqual(["a.txt"]);
      expect(await overlay.glob("**")).toEqual(["/a.txt"]);
      await expect(overlay.writeFile("/.git/hooks/pre-commit", "evil")).rejects.toMatchObject({ code: "EACCES" });
      await overlay.symlink("/.git", "/link");
      await expect(overlay.readFile("/link/config")).rejects.toMatchObject({ code: "ENOENT" });
      await expect(overlay.writeFile("/link/config", "evil")).rejects.toMatchObject({ code: "EACCES" });
    }));
});

describe("the store", () => {
  test("a copy goes its own way, and shares large packs", () =>
    withStorage(async (storage) => {
      const workspace = openWorkspace(storage);
      await workspace.call((git) => git.clone({ url: URL }), { fetch: server });
      const before = parts(storage);
      expect(before).toBe(3);
      workspace.tree.setHead("fork", workspace.tree.head("main"));
      workspace.store.copy("main", "fork");
      expect(parts(storage)).toBe(before);
      const fork = openWorkspace(storage, "fork");
      expect(fork.gitFiles()).toEqual(workspace.gitFiles());
      await commitFile(fork, "/fork.txt", "only there");
      expect(workspace.refs()["refs/heads/main"]).toBe(tip.oid);
      workspace.store.remove("main");
      expect(workspace.store.has("main")).toBe(false);
      expect(await fork.call((git) => git.readFile("HEAD", "/f10"))).toEqual(Uint8Array.from([0, ...large.bytes]));
      workspace.store.remove("fork");
      const late = new GitStore(storage, { now: () => Date.now() + 2 * HOUR });
      expect(late.sweep()).toBe(1);
      expect(parts(storage)).toBe(0);
    }));

  test("what a lost call stored is swept after the grace period, and not before", () =>
    withStorage(async (storage) => {
      let now = HOUR;
      const trees = new TreeStore(storage);
      const store = new GitStore(storage, { now: () => now });
      const overlay = trees.overlay(trees.emptyTree);
      const git = createGit({ store, repository: "main", overlay, fetch: server });
      await git.clone({ url: URL });
      await git.prepare();
      expect(parts(storage)).toBe(3);
      now += HOUR;
      expect([store.sweep(), parts(storage)]).toEqual([0, 3]);
      now += 1;
      expect([store.sweep(), parts(storage)]).toEqual([1, 0]);
      const late = (): void => storage.transactionSync(() => git.rows());
      expect(late).toThrow(expect.objectContaining({ code: "EIO" }));
      expect(store.usage("main")).toEqual({ files: 0, bytes: 0 });
    }));

  test("a version that is newer is not touched", () =>
    withStorage(async (storage) => {
      new GitStore(storage);
      storage.sql.exec("UPDATE tenrec_git_schema SET version = 99");
      expect(() => new GitStore(storage)).toThrow(expect.objectContaining({ code: "not-configured" }));
    }));
});

describe("the file system with `.git` in it", () => {
  for (const contract of fileSystemCases) {
    test(`${contract.group}: ${contract.name}`, () =>
      withStorage(async (storage) => {
        const trees = new TreeStore(storage);
        const store = new GitStore(storage);
        const overlay = trees.overlay(trees.emptyTree);
        const { fileSystem: fs } = createGit({ store, repository: "main", overlay });
        await expect(
          contract.run(async () => ({ fs, [Symbol.asyncDispose]: async () => {} })),
        ).resolves.toBeUndefined();
      }));
  }

  test("refuses what leads in or out, and hooks", () =>
    withStorage(async (storage) => {
      const workspace = openWorkspace(storage);
      await commitFile(workspace, "/a.txt", "1");
      await workspace.call(async ({ fileSystem: fs }) => {
        expect(await fs.readdir("/")).toEqual([".git", "a.txt"]);
        expect(await fs.readFile("/x/../.git/HEAD")).toBe("ref: refs/heads/main\n");
        for (const write of [
          () => fs.symlink("/a.txt", "/.git/link"),
          () => fs.mv("/a.txt", "/.git/a"),
          () => fs.mv("/.git/HEAD", "/a"),
          () => fs.cp("/.git", "/copy", { recursive: true }),
        ]) {
          await expect(write()).rejects.toMatchObject({ code: "EACCES" });
        }
        for (const path of ["/.git/hooks/post-checkout", "/.git/HOOKS/x", "/.git/refs/heads/a..b", "/.git/a\\b"]) {
          await expect(fs.writeFile(path, "evil")).rejects.toMatchObject({ code: "git-refused" });
        }
      });
    }));
});
