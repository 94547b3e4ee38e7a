import { describe, expect, test } from "vitest";
import { withStorage } from "../with-store.ts";
import {
  AUTHOR,
  hasGitServer,
  openWorkspace,
  type ServerRepository,
  serverRepository,
  type Workspace,
} from "./with-git.ts";

type Run = (workspace: Workspace, server: ServerRepository) => Promise<void>;

/** A clone of the last of three commits. */
function shallow(run: Run): () => Promise<void> {
  return () =>
    withStorage(async (storage) => {
      const server = await serverRepository();
      for (const text of ["1", "2", "3"]) await server.commit({ "a.txt": text });
      const workspace = openWorkspace(storage);
      await workspace.call((git) => git.clone({ url: server.url, depth: 1 }));
      await run(workspace, server);
    });
}

const messages = (workspace: Workspace): Promise<number> => workspace.call(async (git) => (await git.log()).length);

describe.skipIf(!hasGitServer)("fetch", () => {
  test(
    "brings what is new, and neither branches nor files change",
    shallow(async (workspace, server) => {
      const files = await workspace.files();
      const { "refs/heads/main": main } = workspace.refs();
      const tip = await server.commit({ "a.txt": "4" });
      const fetched = await workspace.call((git) => git.fetch());
      expect(fetched).toEqual({ remote: "origin", branch: "main", commit: tip });
      expect(workspace.refs()).toMatchObject({ "refs/heads/main": main, "refs/remotes/origin/main": tip });
      expect(await workspace.files()).toEqual(files);
    }),
  );

  test(
    "makes a shallow history longer, and whole",
    shallow(async (workspace) => {
      expect(await messages(workspace)).toBe(1);
      await workspace.call((git) => git.fetch({ depth: 2 }));
      expect(await messages(workspace)).toBe(2);
      await workspace.call((git) => git.fetch({ depth: "full" }));
      expect(await messages(workspace)).toBe(3);
      for (const depth of [0, -1, 1.5, Number.NaN]) {
        await expect(workspace.call((git) => git.fetch({ depth }))).rejects.toMatchObject({ code: "request-invalid" });
      }
    }),
  );

  test(
    "a push of a shallow clone is whole on the server",
    shallow(async (workspace, server) => {
      await workspace.call(async (git, overlay) => {
        await overlay.writeFile("/b.txt", "b");
        await git.add(["/"]);
        await git.commit({ message: "on top of a shallow history" });
        return git.push();
      });
      expect(await server.git(["fsck", "--strict", "--no-dangling"])).toBe("");
      expect((await server.git(["rev-list", "--count", "main"])).trim()).toBe("4");
    }),
  );

  test(
    "takes one branch, all of them, tags, and forgets what is gone",
    shallow(async (workspace, server) => {
      const other = await server.commit({ "o.txt": "o" }, { branch: "other" });
      await server.commit({ "p.txt": "p" }, { branch: "third" });
      await server.git(["tag", "v1", other]);
      const remote = async (): Promise<readonly string[]> => (await workspace.call((git) => git.branches())).remote;
      await workspace.call((git) => git.fetch({ branch: "other" }));
      expect(await remote()).toEqual(["origin/main", "origin/other"]);
      await workspace.call((git) => git.fetch({ all: true, tags: true }));
      expect(await remote()).toEqual(["origin/main", "origin/other", "origin/third"]);
      expect(workspace.refs()["refs/tags/v1"]).toBe(other);
      await server.git(["update-ref", "-d", "refs/heads/third"]);
      await workspace.call((git) => git.fetch({ all: true }));
      expect(await remote()).toContain("origin/third");
      await workspace.call((git) => git.fetch({ all: true, prune: true }));
      expect(await remote()).toEqual(["origin/main", "origin/other"]);
      await expect(workspace.call((git) => git.fetch({ branch: "none" }))).rejects.toMatchObject({
        code: "git-not-found",
      });
      expect(await workspace.call((git) => git.checkout("other"))).toBe(other);
      expect(await workspace.files()).toEqual({ "/o.txt": "o" });
      expect((await workspace.call((git) => git.pull())).kind).toBe("none");
    }),
  );

  test(
    "remotes are added, used and removed, and their addresses checked when they are used",
    shallow(async (workspace, server) => {
      const second = await serverRepository();
      const tip = await second.commit({ "s.txt": "s" });
      await workspace.call((git) => git.addRemote("second", second.url));
      expect(await workspace.call((git) => git.remotes())).toEqual([
        { name: "origin", url: server.url },
        { name: "second", url: second.url },
      ]);
      expect(await workspace.call((git) => git.fetch({ remote: "second", branch: "main" }))).toMatchObject({
        commit: tip,
      });
      const copy = (): Promise<unknown> =>
        workspace.call((git) => git.push({ remote: "second", to: "copy", branch: "main" }));
      const shallowly = {
        code: "git-push-rejected",
        data: { ref: "refs/heads/copy", reason: expect.stringContaining("shallow") },
      };
      await expect(copy()).rejects.toMatchObject(shallowly);
      await workspace.call((git) => git.fetch({ depth: "full" }));
      await copy();
      expect((await second.git(["rev-list", "--count", "copy"])).trim()).toBe("3");
      await workspace.call((git) => git.removeRemote("second"));
      expect(Object.keys(workspace.refs()).filter((ref) => ref.includes("second"))).toEqual([]);
      await expect(workspace.call((git) => git.fetch({ remote: "second" }))).rejects.toMatchObject({
        code: "git-not-found",
      });
      for (const name of ["a b", "../x", "a/b", "", "-x"]) {
        await expect(workspace.call((git) => git.addRemote(name, server.url))).rejects.toMatchObject({
          code: "git-refused",
        });
      }
      await expect(workspace.call((git) => git.addRemote("x", "file:///etc"))).rejects.toMatchObject({
        code: "git-refused",
      });
      const elsewhere = workspace.call((git) => git.fetch(), { insecureHosts: [] });
      await expect(elsewhere).rejects.toMatchObject({ code: "git-refused" });
    }),
  );

  test(
    "a push that is too large is refused before it is announced",
    shallow(async (workspace, server) => {
      await workspace.call(async (git, overlay) => {
        await overlay.writeFileBytes("/noise", crypto.getRandomValues(new Uint8Array(50_000)));
        await git.add(["/"]);
        return git.commit({ message: "noise", author: AUTHOR });
      });
      const before = await server.git(["rev-parse", "main"]);
      const pushed = workspace.call((git) => git.push(), {
        limits: { maxPackBytes: 40_000 },
        onEffect: () => {
          throw new Error("announced");
        },
      });
      await expect(pushed).rejects.toMatchObject({ code: "git-too-large", data: { limit: 40_000 } });
      expect(await server.git(["rev-parse", "main"])).toBe(before);
    }),
  );
});
