import { createGit as createShellGit } from "@cloudflare/shell/git";
import { describe, expect, test } from "vitest";
import type { Overlay } from "../overlay/overlay.ts";
import type { StorageLike } from "../sql.ts";
import { withStorage } from "../with-store.ts";
import { createGit, type Git } from "./create-git.ts";
import { AUTHOR, NOW, openWorkspace, type Workspace } from "./with-git.ts";

type Run = (workspace: Workspace) => Promise<void>;

async function write(overlay: Overlay, files: Readonly<Record<string, string | null>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await (text === null ? overlay.rm(path) : overlay.writeFile(path, text));
  }
}

function commit(
  workspace: Workspace,
  files: Readonly<Record<string, string | null>>,
  message = "change",
): Promise<string> {
  return workspace.call(async (git, overlay) => {
    await write(overlay, files);
    await git.add(["/"]);
    return git.commit({ message });
  });
}

/** A repository with one commit of three files. */
function started(run: Run): () => Promise<void> {
  return () =>
    withStorage(async (storage) => {
      const workspace = openWorkspace(storage);
      await workspace.call((git) => git.init());
      await commit(workspace, { "/a.txt": "1\n2\n3\n", "/dir/b.txt": "b\n", "/dir/c.txt": "c\n" });
      await run(workspace);
    });
}

const entriesOf = async (git: Git): Promise<readonly string[]> =>
  (await git.status()).entries.map(
    ({ path, staged = "-", unstaged = "-", unmerged }) => `${staged} ${unstaged} ${path}${unmerged ? " unmerged" : ""}`,
  );

describe("status, add and unstage", () => {
  test(
    "tell what the next commit has, and what it has not",
    started((workspace) =>
      workspace.call(async (git, overlay) => {
        expect(await entriesOf(git)).toEqual([]);
        await write(overlay, { "/a.txt": "changed\n", "/dir/b.txt": null, "/new.txt": "n" });
        await overlay.chmod("/dir/c.txt", 0o755);
        await overlay.symlink("a.txt", "/link");
        const unstaged = [
          "- modify /a.txt",
          "- delete /dir/b.txt",
          "- modify /dir/c.txt",
          "- untracked /link",
          "- untracked /new.txt",
        ];
        expect(await entriesOf(git)).toEqual(unstaged);
        expect(await git.add(["/a.txt", "/dir"])).toEqual(["/a.txt", "/dir/b.txt", "/dir/c.txt"]);
        await write(overlay, { "/a.txt": "again\n" });
        expect(await entriesOf(git)).toEqual([
          "modify modify /a.txt",
          "delete - /dir/b.txt",
          "modify - /dir/c.txt",
          "- untracked /link",
          "- untracked /new.txt",
        ]);
        await git.add(["/"]);
        expect(await entriesOf(git)).toEqual([
          "modify - /a.txt",
          "delete - /dir/b.txt",
          "modify - /dir/c.txt",
          "create - /link",
          "create - /new.txt",
        ]);
        await git.unstage(["/"]);
        expect((await entriesOf(git)).toSorted()).toEqual(unstaged.toSorted());
        await expect(git.add(["/none"])).rejects.toMatchObject({ code: "git-not-found" });
        await expect(git.add(["/.git/config"])).rejects.toMatchObject({ code: "git-refused" });
        const small = createGit({ store: workspace.store, repository: "main", overlay, limits: { maxObjectBytes: 5 } });
        await overlay.writeFile("/large.txt", "123456");
        await expect(small.add(["/"])).rejects.toMatchObject({ code: "git-too-large", data: { size: 6, limit: 5 } });
      }),
    ),
  );

  test(
    "leave out what is ignored, unless it is tracked",
    started(async (workspace) => {
      await commit(workspace, { "/dist/kept.js": "k" });
      await workspace.call(async (git, overlay) => {
        await write(overlay, {
          "/.gitignore": "dist/\n*.log\n!keep.log\n",
          "/dir/.gitignore": "local\n",
          "/dist/kept.js": "changed",
          "/dist/new.js": "n",
          "/x.log": "x",
          "/keep.log": "k",
          "/dir/local": "l",
          "/local": "l",
          "/.ignore": "local\n",
        });
        expect(await entriesOf(git)).toEqual([
          "- untracked /.gitignore",
          "- untracked /.ignore",
          "- untracked /dir/.gitignore",
          "- modify /dist/kept.js",
          "- untracked /keep.log",
          "- untracked /local",
        ]);
      });
    }),
  );

  test("an unchanged content is read once in its life", () =>
    withStorage(async (storage) => {
      const asked: string[] = [];
      const exec: StorageLike["sql"]["exec"] = (query, ...bindings) => {
        asked.push(query);
        return storage.sql.exec(query, ...bindings);
      };
      const workspace = openWorkspace({ sql: { exec }, transactionSync: (run) => storage.transactionSync(run) });
      const reads = (): number => asked.filter((query) => query.includes("SELECT data, key FROM tenrec_blobs")).length;
      await workspace.call((_, overlay) => write(overlay, { "/a.txt": "a", "/b.txt": "b" }));
      await workspace.call(async (git) => {
        await git.init();
        expect(await entriesOf(git)).toEqual(["- untracked /a.txt", "- untracked /b.txt"]);
      });
      expect(reads()).toBe(2);
      await workspace.call((git) => git.status());
      expect(reads()).toBe(2);
    }));
});

describe("commit", () => {
  test(
    "has the author, the time and the message that were given, and nothing more",
    started((workspace) =>
      workspace.call(async (git) => {
        await git.commit({
          message: " text\n\n\n",
          allowEmpty: true,
          author: { name: "Ünal", email: "u@example.com" },
        });
        const [top] = await git.log({ limit: 1 });
        expect(top).toMatchObject({ message: "text\n", author: { name: "Ünal", email: "u@example.com" }, at: NOW });
        for (const message of ["", " \n ", "\0"]) {
          await expect(git.commit({ message, allowEmpty: true })).rejects.toMatchObject({ code: "request-invalid" });
        }
        const forged = git.commit({ message: "x", allowEmpty: true, author: { ...AUTHOR, name: "x\nparent 1" } });
        await expect(forged).rejects.toMatchObject({ code: "request-invalid" });
        await expect(git.commit({ message: "x" })).rejects.toMatchObject({ code: "request-invalid" });
        expect((await git.log()).length).toBe(2);
      }),
    ),
  );

  test("needs an author and a repository", () =>
    withStorage(async (storage) => {
      const { store, tree } = openWorkspace(storage);
      const git = createGit({ store, repository: "main", overlay: tree.overlay(tree.emptyTree) });
      await expect(git.status()).rejects.toMatchObject({ code: "git-not-found" });
      await git.init();
      await expect(git.commit({ message: "x", allowEmpty: true })).rejects.toMatchObject({ code: "not-configured" });
    }));
});

describe("branches", () => {
  test(
    "are made, listed, changed to and removed",
    started((workspace) =>
      workspace.call(async (git, overlay) => {
        const first = await git.createBranch("topic/one");
        await git.checkout("topic/one");
        await write(overlay, { "/topic.txt": "t" });
        await git.add(["/"]);
        const second = await git.commit({ message: "topic" });
        expect(await git.branches()).toEqual({ current: "topic/one", local: ["main", "topic/one"], remote: [] });
        expect(await git.checkout("main")).toBe(first);
        expect(await overlay.exists("/topic.txt")).toBe(false);
        expect(await git.checkout("topic/one~1")).toBe(first);
        expect(await git.branches()).toEqual({ local: ["main", "topic/one"], remote: [] });
        await git.checkout("main");
        expect(await git.merge("topic/one")).toEqual({ kind: "fast-forward", commit: second });
        await git.removeBranch("topic/one");
        expect((await git.branches()).local).toEqual(["main"]);
        await expect(git.removeBranch("main")).rejects.toMatchObject({ code: "request-invalid" });
        await expect(git.createBranch("main")).rejects.toMatchObject({ code: "request-invalid" });
        await expect(git.createBranch("main/x")).rejects.toMatchObject({ code: "request-invalid" });
        await git.createBranch("a/b");
        await expect(git.checkout("a", { create: true })).rejects.toMatchObject({ code: "request-invalid" });
        await git.removeBranch("a/b");
        for (const name of ["HEAD", "-x", "a..b", "../x", "a b", "refs/heads/x", "", "x.lock", "a\\b"]) {
          await expect(git.createBranch(name)).rejects.toMatchObject({ code: "git-refused" });
        }
        for (const name of ["none", "main~9", "main^2", "0".repeat(40), "a..b", "../config"]) {
          await expect(git.checkout(name)).rejects.toMatchObject({ code: "git-not-found" });
        }
      }),
    ),
  );

  // What is in the work tree when `other` is checked out, which has another a.txt, no dir/b.txt, and a new.txt.
  const CHANGES: readonly [name: string, change: Readonly<Record<string, string | null>>, lost: string[]][] = [
    ["nothing", {}, []],
    ["a file that both have alike", { "/dir/c.txt": "mine\n" }, []],
    ["a file that no commit has", { "/mine.txt": "mine\n" }, []],
    ["a file that differs", { "/a.txt": "mine\n" }, ["/a.txt"]],
    ["a file that differs, as it is there", { "/a.txt": "other\n" }, []],
    ["a file that is gone there", { "/dir/b.txt": "mine\n" }, ["/dir/b.txt"]],
    ["a file that is new there", { "/new.txt": "mine\n" }, ["/new.txt"]],
    ["a file that is new there, as it is there", { "/new.txt": "new\n" }, []],
    ["a file in the place of a directory", { "/new.txt/x": "mine\n" }, ["/new.txt/x"]],
    ["a removed file that differs", { "/a.txt": null }, ["/a.txt"]],
  ];

  test.each(CHANGES)("changing with %s changed", (_, change, lost) =>
    started(async (workspace) => {
      await workspace.call((git) => git.checkout("other", { create: true }));
      await commit(workspace, { "/a.txt": "other\n", "/dir/b.txt": null, "/new.txt": "new\n" });
      await workspace.call((git) => git.checkout("main"));
      await workspace.call((__, overlay) => write(overlay, change));
      const before = [await workspace.files(), workspace.refs()];
      const changed = workspace.call((git) => git.checkout("other"));
      if (lost.length > 0) {
        await expect(changed).rejects.toMatchObject({ code: "git-local-changes", data: { paths: lost } });
        expect([await workspace.files(), workspace.refs()]).toEqual(before);
        await workspace.call((git) => git.checkout("other", { force: true }));
      } else await changed;
      const files = await workspace.files();
      expect(files).toMatchObject({ "/a.txt": "other\n", "/new.txt": "new\n" });
      expect(files["/dir/b.txt"]).toBeUndefined();
      expect(workspace.refs()["HEAD"]).toBe("ref: refs/heads/other");
    })(),
  );
});

describe("merge", () => {
  /** Two branches that changed the same line. */
  async function diverge(workspace: Workspace): Promise<{ ours: string; theirs: string }> {
    await workspace.call((git) => git.checkout("theirs", { create: true }));
    const theirs = await commit(workspace, {
      "/a.txt": "1\ntheirs\n3\n",
      "/dir/b.txt": "theirs\n",
      "/dir/c.txt": null,
    });
    await workspace.call((git) => git.checkout("main"));
    const ours = await commit(workspace, { "/a.txt": "1\nours\n3\n", "/ours.txt": "o" });
    return { ours, theirs };
  }

  test(
    "with conflicts changes nothing, or keeps both sides to be resolved",
    started(async (workspace) => {
      const { ours, theirs } = await diverge(workspace);
      const before = [await workspace.files(), workspace.gitFiles()];
      await expect(workspace.call((git) => git.merge("theirs"))).rejects.toMatchObject({
        code: "git-conflict",
        data: { paths: ["/a.txt"] },
      });
      expect([await workspace.files(), workspace.gitFiles()]).toEqual(before);
      const merged = await workspace.call((git) => git.merge("theirs", { conflicts: "keep" }));
      expect(merged).toEqual({ kind: "conflict", commit: ours, conflicts: ["/a.txt"] });
      const files = await workspace.files();
      expect(files["/a.txt"]).toMatch(/^1\n<<<<<<< \S+\nours\n=======\ntheirs\n>>>>>>> \S+\n3\n$/);
      expect(files).toMatchObject({ "/dir/b.txt": "theirs\n", "/ours.txt": "o" });
      expect(await workspace.call((git) => git.status())).toMatchObject({ merging: theirs });
      expect(await workspace.call(entriesOf)).toEqual([
        "- - /a.txt unmerged",
        "modify - /dir/b.txt",
        "delete - /dir/c.txt",
      ]);
      await expect(workspace.call((git) => git.commit({ message: "early" }))).rejects.toMatchObject({
        code: "git-conflict",
      });
      await expect(workspace.call((git) => git.checkout("theirs"))).rejects.toMatchObject({ code: "request-invalid" });
      await workspace.call(async (git, overlay) => {
        await overlay.writeFile("/a.txt", "1\nboth\n3\n");
        await git.add(["/a.txt"]);
        await git.commit({ message: "resolved" });
      });
      const [top] = await workspace.call((git) => git.log({ limit: 1 }));
      expect(top).toMatchObject({ message: "resolved\n", parents: [ours, theirs] });
      expect(await workspace.call((git) => git.status())).toEqual({ branch: "main", commit: top?.id, entries: [] });
      expect(await workspace.call((git) => git.merge("theirs"))).toMatchObject({ kind: "none" });
    }),
  );

  test(
    "is given up by a forced reset",
    started(async (workspace) => {
      const { ours } = await diverge(workspace);
      const before = [await workspace.files(), workspace.refs()];
      await workspace.call((git) => git.merge("theirs", { conflicts: "keep" }));
      await expect(workspace.call((git) => git.reset("HEAD"))).rejects.toMatchObject({ code: "request-invalid" });
      expect(await workspace.call((git) => git.reset("HEAD", { force: true }))).toBe(ours);
      // And again within one call.
      await workspace.call(async (git) => {
        for (let round = 0; round < 2; round++) {
          expect((await git.merge("theirs", { conflicts: "keep" })).kind).toBe("conflict");
          await git.reset("HEAD", { force: true });
        }
      });
      expect([await workspace.files(), workspace.refs()]).toEqual(before);
      expect(await workspace.call((git) => git.status())).toEqual({ branch: "main", commit: ours, entries: [] });
    }),
  );

  test(
    "never overwrites what is not committed, not even with its conflicts",
    started(async (workspace) => {
      await diverge(workspace);
      await workspace.call((_, overlay) => overlay.writeFile("/dir/b.txt", "mine\n"));
      const merged = workspace.call((git) => git.merge("theirs", { conflicts: "keep" }));
      await expect(merged).rejects.toMatchObject({ code: "git-local-changes", data: { paths: ["/dir/b.txt"] } });
      expect((await workspace.files())["/dir/b.txt"]).toBe("mine\n");
    }),
  );
});

describe("diff", () => {
  test(
    "is between any two of commits, index and work tree",
    started((workspace) =>
      workspace.call(async (git, overlay) => {
        await write(overlay, { "/a.txt": "1\n2\nthree\n", "/dir/b.txt": null, "/untracked": "u" });
        await overlay.writeFileBytes("/dir/c.txt", Uint8Array.of(0, 1));
        await git.add(["/a.txt"]);
        await overlay.chmod("/a.txt", 0o755);
        const paths = async (options?: Parameters<Git["diff"]>[0]): Promise<unknown> =>
          (await git.diff(options)).map(({ path, change }) => `${change} ${path}`);
        expect(await paths()).toEqual(["modify /a.txt", "delete /dir/b.txt", "modify /dir/c.txt"]);
        expect(await paths({ from: { commit: "HEAD" }, to: "index" })).toEqual(["modify /a.txt"]);
        expect(await paths({ from: { commit: "HEAD" }, to: { commit: "main" } })).toEqual([]);
        const [mode] = await git.diff();
        expect(mode?.patch).toBe("diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100755\n");
        const [text, , binary] = await git.diff({ from: { commit: "HEAD" } });
        expect(text).toMatchObject({ added: 1, removed: 1, binary: false });
        expect(text?.patch).toContain("--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n 1\n 2\n-3\n+three\n");
        expect(binary).toMatchObject({
          binary: true,
          patch: expect.stringContaining("Binary files a/dir/c.txt and b/dir/c.txt differ"),
        });
        expect(new TextDecoder().decode(await git.readFile("HEAD", "/dir/b.txt"))).toBe("b\n");
        await expect(git.readFile("HEAD", "/none")).rejects.toMatchObject({ code: "git-not-found" });
      }),
    ),
  );
});

test(
  "the git of @cloudflare/shell works on the same file system, and ours on what it left",
  started((workspace) =>
    workspace.call(async (git, overlay) => {
      await write(overlay, { "/shell.txt": "s" });
      await overlay.symlink("a.txt", "/link");
      const shell = createShellGit(git.fileSystem);
      await shell.add({ filepath: "." });
      const { oid } = await shell.commit({ message: "by the shell", author: AUTHOR });
      expect((await git.log({ limit: 1 }))[0]).toMatchObject({ id: oid, message: "by the shell\n" });
      expect(await git.status()).toMatchObject({ branch: "main", commit: oid, entries: [] });
      expect((await shell.log({})).map(({ message }) => message)).toEqual(["by the shell\n", "change\n"]);
    }),
  ),
);
