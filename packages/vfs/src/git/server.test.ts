import { describe, expect, test } from "vitest";
import { withStorage } from "../with-store.ts";
import { hasGitServer, openWorkspace, serverRepository } from "./with-git.ts";

describe.skipIf(!hasGitServer)("against git's own server", () => {
  test("clone brings files, modes, links and history", () =>
    withStorage(async (storage) => {
      const server = await serverRepository();
      await server.commit({ "a.txt": "one\n", "src/b.txt": "two\n" });
      const tip = await server.commit({ "a.txt": "three\n" }, { message: "second" });
      const workspace = openWorkspace(storage);
      const cloned = await workspace.call((git) => git.clone({ url: server.url }));
      expect(cloned).toEqual({ branch: "main", commit: tip });
      expect(await workspace.files()).toEqual({ "/a.txt": "three\n", "/src/b.txt": "two\n" });
      const log = await workspace.call((git) => git.log());
      expect(log.map(({ message }) => message)).toEqual(["second\n", "change\n"]);
      expect(await workspace.call((git) => git.status())).toEqual({ branch: "main", commit: tip, entries: [] });
    }));

  test("commit and push: the server's git finds what ours wrote, and finds it whole", () =>
    withStorage(async (storage) => {
      const server = await serverRepository();
      await server.commit({ "a.txt": "one\n", "src/b.txt": "two\n" });
      const workspace = openWorkspace(storage);
      await workspace.call((git) => git.clone({ url: server.url }));
      await workspace.call((_, overlay) => overlay.writeFile("/src/new.txt", "new\n"));
      const oid = await workspace.call(async (git) => {
        await git.add(["/"]);
        return git.commit({ message: "ours" });
      });
      const pushed = await workspace.call((git) => git.push());
      expect(pushed).toMatchObject({ ref: "refs/heads/main", after: oid });
      expect(await server.git(["fsck", "--strict"])).toBe("");
      expect((await server.git(["rev-parse", "main"])).trim()).toBe(oid);
      expect(await server.git(["show", "main:src/new.txt"])).toBe("new\n");
    }));
});
