import { describe, expect, test } from "vitest";
import { withStorage } from "../with-store.ts";
import { readGitCredentials } from "./credentials.ts";
import {
  gitHost,
  hasGitServer,
  openWorkspace,
  type ServerRepository,
  serverRepository,
  type Workspace,
} from "./with-git.ts";
import { PRIVATE_PASSWORD, PRIVATE_USER } from "./with-http-backend.ts";

type Run = (workspace: Workspace, server: ServerRepository) => Promise<void>;

/** A clone of a repository with two files and two commits. */
function cloned(run: Run): () => Promise<void> {
  return () =>
    withStorage(async (storage) => {
      const server = await serverRepository();
      await server.commit({ "a.txt": "one\n", "src/b.txt": "two\n" });
      await server.commit({ "a.txt": "three\n" }, { message: "second" });
      const workspace = openWorkspace(storage);
      await workspace.call((git) => git.clone({ url: server.url }));
      await run(workspace, server);
    });
}

async function commitFiles(workspace: Workspace, files: Record<string, string>, message = "ours"): Promise<string> {
  return workspace.call(async (git, overlay) => {
    for (const [path, text] of Object.entries(files)) await overlay.writeFile(path, text);
    await git.add(Object.keys(files));
    return git.commit({ message });
  });
}

const code = (name: string): unknown => expect.objectContaining({ code: name });

describe.skipIf(!hasGitServer)("against git's own server", () => {
  test("clone brings files, modes, links and history, and leaves nothing to be committed", () =>
    withStorage(async (storage) => {
      const server = await serverRepository();
      await server.commit({ "a.txt": "one\n" });
      const blob = (await server.git(["hash-object", "-w", "--stdin"], "#!/bin/sh\n")).trim();
      const link = (await server.git(["hash-object", "-w", "--stdin"], "bin/run")).trim();
      await server.git(["read-tree", "main"]);
      await server.git(["update-index", "--add", "--cacheinfo", `100755,${blob},bin/run`]);
      await server.git(["update-index", "--add", "--cacheinfo", `120000,${link},run`]);
      await server.git(["update-index", "--add", "--cacheinfo", `100644,${blob},ü/ñ.txt`]);
      const tree = (await server.git(["write-tree"])).trim();
      const tip = (await server.git(["commit-tree", tree, "-p", "main", "-m", "modes"])).trim();
      await server.git(["update-ref", "refs/heads/main", tip]);
      const workspace = openWorkspace(storage);
      expect(await workspace.call((git) => git.clone({ url: server.url }))).toEqual({ branch: "main", commit: tip });
      expect(await workspace.files()).toEqual({
        "/a.txt": "one\n",
        "/bin/run": "#!/bin/sh\n",
        "/run": "-> bin/run",
        "/ü/ñ.txt": "#!/bin/sh\n",
      });
      const overlay = workspace.tree.overlay(workspace.tree.head("main"));
      expect((await overlay.stat("/bin/run")).mode).toBe(0o755);
      expect(await workspace.call((git) => git.status())).toEqual({ branch: "main", commit: tip, entries: [] });
      const log = await workspace.call((git) => git.log());
      const real = await server.git(["log", "--format=%H %P %an %ae %at %B%x00", "main"]);
      const ours = log.map(
        ({ id, parents, author, at, message }) =>
          `${id} ${parents.join(" ")} ${author.name} ${author.email} ${at / 1000} ${message}`,
      );
      expect(ours.map((line) => line.trim())).toEqual(
        real
          .split("\0")
          .slice(0, -1)
          .map((line) => line.trim()),
      );
    }));

  test("a clone takes less with a depth, one branch, or a tag", () =>
    withStorage(async (storage) => {
      const server = await serverRepository();
      const first = await server.commit({ "a.txt": "1" });
      await server.git(["tag", "-a", "-m", "release", "v1", first]);
      await server.commit({ "a.txt": "2" });
      await server.commit({ "a.txt": "3" }, { branch: "other" });
      const log = async (head: string, options: object): Promise<[number, readonly string[]]> => {
        const workspace = openWorkspace(storage, head);
        await workspace.call((git) => git.clone({ url: server.url, ...options }));
        const { remote } = await workspace.call((git) => git.branches());
        return [(await workspace.call((git) => git.log())).length, remote];
      };
      expect(await log("default", {})).toEqual([2, ["origin/main"]]);
      expect(await log("shallow", { depth: 1 })).toEqual([1, ["origin/main"]]);
      expect(await log("full", { depth: "full", singleBranch: false })).toEqual([2, ["origin/main", "origin/other"]]);
      expect(await log("branch", { branch: "other" })).toEqual([1, ["origin/other"]]);
      const tagged = openWorkspace(storage, "tag");
      expect(await tagged.call((git) => git.clone({ url: server.url, branch: "v1", tags: true }))).toEqual({
        commit: first,
      });
      expect(tagged.refs()["HEAD"]).toBe(first);
      expect(await tagged.files()).toEqual({ "/a.txt": "1" });
      await expect(
        openWorkspace(storage, "none").call((git) => git.clone({ url: server.url, branch: "no" })),
      ).rejects.toEqual(code("git-not-found"));
    }));

  test("an empty repository is cloned, filled and pushed", () =>
    withStorage(async (storage) => {
      const server = await serverRepository();
      const workspace = openWorkspace(storage);
      expect(await workspace.call((git) => git.clone({ url: server.url }))).toEqual({});
      expect(await workspace.call((git) => git.log())).toEqual([]);
      const oid = await commitFiles(workspace, { "/first.txt": "1\n" });
      await workspace.call((git) => git.push());
      expect((await server.git(["rev-parse", "main"])).trim()).toBe(oid);
    }));

  test(
    "what ours committed is byte for byte what git would have, and whole",
    cloned(async (workspace, server) => {
      const oid = await commitFiles(workspace, { "/src/new.txt": "new\n", "/src.txt": "x", "/a.txt": "four\n" });
      expect(await workspace.call((git) => git.push())).toMatchObject({ ref: "refs/heads/main", after: oid });
      expect(await server.git(["fsck", "--strict", "--no-dangling"])).toBe("");
      expect((await server.git(["rev-parse", "main"])).trim()).toBe(oid);
      // The same content, put together by git itself.
      await server.git(["read-tree", "main~1"]);
      for (const [path, text] of [
        ["src/new.txt", "new\n"],
        ["src.txt", "x"],
        ["a.txt", "four\n"],
      ] as const) {
        const blob = (await server.git(["hash-object", "-w", "--stdin"], text)).trim();
        await server.git(["update-index", "--add", "--cacheinfo", `100644,${blob},${path}`]);
      }
      const tree = (await server.git(["write-tree"])).trim();
      const real = (await server.git(["commit-tree", tree, "-p", "main~1"], "ours\n")).trim();
      expect(oid).toBe(real);
    }),
  );

  test(
    "git itself goes on with our repository as it is",
    cloned(async (workspace) => {
      await commitFiles(workspace, { "/dir/ü.txt": "x", [`/${"long/".repeat(20)}${"n".repeat(200)}`]: "y" });
      const copy = await serverRepository();
      await copy.put(workspace.gitFiles());
      expect(await copy.git(["fsck", "--strict", "--no-dangling"])).toBe("");
      expect(await copy.git(["diff-index", "--cached", "HEAD"])).toBe("");
      const [log] = await workspace.call((git) => git.log({ limit: 1 }));
      expect((await copy.git(["rev-parse", "HEAD"])).trim()).toBe(log?.id);
      expect(await copy.git(["ls-files", "-z"])).toContain("dir/ü.txt");
    }),
  );

  test(
    "pull moves on when only the server did",
    cloned(async (workspace, server) => {
      const tip = await server.commit({ "a.txt": "four\n", "new/c.txt": "c\n" });
      expect(await workspace.call((git) => git.pull())).toMatchObject({ kind: "fast-forward", commit: tip });
      expect(await workspace.files()).toEqual({ "/a.txt": "four\n", "/new/c.txt": "c\n", "/src/b.txt": "two\n" });
      expect(workspace.refs()).toMatchObject({ "refs/heads/main": tip, "refs/remotes/origin/main": tip });
      expect(await workspace.call((git) => git.pull())).toMatchObject({ kind: "none", commit: tip });
      expect((await workspace.call((git) => git.status())).entries).toEqual([]);
    }),
  );

  test(
    "pull merges what both sides did, and the push of it is whole",
    cloned(async (workspace, server) => {
      const theirs = await server.commit({ "src/b.txt": "theirs\n" });
      const ours = await commitFiles(workspace, { "/a.txt": "ours\n" });
      // The file, the root and the commit: what did not change is in the pack already.
      const loose = Object.keys(workspace.gitFiles()).filter((path) => /^objects\/[0-9a-f]{2}\//.test(path));
      expect(loose).toHaveLength(3);
      const merged = await workspace.call((git) => git.pull());
      expect(merged.kind).toBe("merge");
      expect(await workspace.files()).toEqual({ "/a.txt": "ours\n", "/src/b.txt": "theirs\n" });
      const [top] = await workspace.call((git) => git.log({ limit: 1 }));
      expect(top?.parents).toEqual([ours, theirs]);
      await workspace.call((git) => git.push());
      expect(await server.git(["fsck", "--strict", "--no-dangling"])).toBe("");
      expect((await server.git(["rev-parse", "main"])).trim()).toBe(merged.commit);
    }),
  );

  test(
    "a pull with a conflict, and one over local changes, change nothing",
    cloned(async (workspace, server) => {
      await server.commit({ "a.txt": "theirs\n" });
      await commitFiles(workspace, { "/a.txt": "ours\n" });
      const before = [workspace.refs(), await workspace.files()];
      const conflict = expect.objectContaining({ code: "git-conflict", data: { paths: ["/a.txt"] } });
      await expect(workspace.call((git) => git.pull())).rejects.toEqual(conflict);
      await expect(workspace.call((git) => git.pull({ fastForwardOnly: true }))).rejects.toEqual(code("git-failed"));
      expect([workspace.refs(), await workspace.files()]).toEqual(before);
      await workspace.call((git) => git.reset("HEAD~1"));
      await workspace.call((_, overlay) => overlay.writeFile("/a.txt", "not committed\n"));
      const lost = expect.objectContaining({ code: "git-local-changes", data: { paths: ["/a.txt"] } });
      await expect(workspace.call((git) => git.pull())).rejects.toEqual(lost);
      expect((await workspace.files())["/a.txt"]).toBe("not committed\n");
    }),
  );

  test(
    "a push is refused where the server went on, unless it is forced",
    cloned(async (workspace, server) => {
      const theirs = await server.commit({ "a.txt": "theirs\n" });
      const ours = await commitFiles(workspace, { "/src/b.txt": "ours\n" });
      const refs = workspace.refs();
      await expect(workspace.call((git) => git.push())).rejects.toEqual(code("git-push-rejected"));
      expect((await server.git(["rev-parse", "main"])).trim()).toBe(theirs);
      expect(workspace.refs()).toEqual(refs);
      expect(await workspace.call((git) => git.push({ force: true }))).toMatchObject({ before: theirs, after: ours });
      expect((await server.git(["rev-parse", "main"])).trim()).toBe(ours);
    }),
  );

  test(
    "what the server itself does not want is refused with its reason",
    cloned(async (workspace, server) => {
      await server.git(["config", "receive.denyNonFastForwards", "true"]);
      await server.commit({ "a.txt": "theirs\n" });
      await commitFiles(workspace, { "/src/b.txt": "ours\n" });
      const refused = expect.objectContaining({
        code: "git-push-rejected",
        data: { ref: expect.any(String), reason: expect.stringContaining("non-fast-forward") },
      });
      await expect(workspace.call((git) => git.push({ force: true }))).rejects.toEqual(refused);
    }),
  );

  test(
    "a push says what it will do before it does it, and whether it arrived can be asked",
    cloned(async (workspace, server) => {
      const before = (await server.git(["rev-parse", "main"])).trim();
      const after = await commitFiles(workspace, { "/a.txt": "ours\n" });
      const effect = { kind: "push", url: server.url, ref: "refs/heads/main", before, after } as const;
      const stopped = workspace.call((git) => git.push(), {
        onEffect: (told) => {
          expect(told).toEqual(effect);
          throw new Error("not now");
        },
      });
      await expect(stopped).rejects.toThrow("not now");
      expect((await server.git(["rev-parse", "main"])).trim()).toBe(before);
      expect(await workspace.call((git) => git.outcomeOf(effect))).toBe("not-arrived");
      await workspace.call((git) => git.push());
      expect(await workspace.call((git) => git.outcomeOf(effect))).toBe("arrived");
      const again = workspace.call((git) => git.push(), {
        onEffect: () => {
          throw new Error("there is nothing to send");
        },
      });
      expect(await again).toMatchObject({ before: after, after });
      await server.commit({ "a.txt": "later\n" });
      expect(await workspace.call((git) => git.outcomeOf(effect))).toBe("changed");
    }),
  );

  test("a private repository opens to its own host's credentials only", () =>
    withStorage(async (storage) => {
      const server = await serverRepository("private");
      await server.commit({ "a.txt": "secret\n" });
      const enter = (head: string, env: Record<string, string>): Promise<unknown> =>
        openWorkspace(storage, head).call((git) => git.clone({ url: server.url }), {
          credentials: readGitCredentials(env),
        });
      const right = { GIT_HOST: gitHost, GIT_USERNAME: PRIVATE_USER, GIT_PASSWORD: PRIVATE_PASSWORD };
      await expect(enter("none", {})).rejects.toEqual(code("git-unauthorized"));
      await expect(enter("wrong", { ...right, GIT_PASSWORD: "wrong" })).rejects.toEqual(code("git-unauthorized"));
      await expect(enter("elsewhere", { ...right, GIT_HOST: "example.com" })).rejects.toEqual(code("git-unauthorized"));
      await expect(enter("right", right)).resolves.toMatchObject({ branch: "main" });
      const workspace = openWorkspace(storage, "right");
      await commitFiles(workspace, { "/a.txt": "more\n" });
      const credentials = readGitCredentials({
        GIT_USERNAME: PRIVATE_USER,
        GIT_TOKENS: JSON.stringify({ [gitHost]: PRIVATE_PASSWORD }),
      });
      await workspace.call((git) => git.push(), { credentials });
      expect(await server.git(["show", "main:a.txt"])).toBe("more\n");
    }));

  test("an address where there is nothing, or no git", () =>
    withStorage(async (storage) => {
      const clone = (url: string): Promise<unknown> => openWorkspace(storage).call((git) => git.clone({ url }));
      await expect(clone(`http://${gitHost}/nothing.git`)).rejects.toEqual(code("git-not-found"));
      await expect(clone(`http://${gitHost}/-/git`)).rejects.toEqual(code("git-not-found"));
      expect(openWorkspace(storage).refs()).toEqual({});
    }));
});
