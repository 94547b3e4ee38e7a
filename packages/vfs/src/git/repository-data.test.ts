import { describe, expect, test } from "vitest";
import { withStorage } from "../with-store.ts";
import { openWorkspace, type Workspace } from "./with-git.ts";

async function start(workspace: Workspace): Promise<string> {
  return workspace.call(async (git, overlay) => {
    await git.init();
    await overlay.writeFile("/a.txt", "one\n");
    await git.add(["/"]);
    return git.commit({ message: "One" });
  });
}

describe("what commands ask of a repository", () => {
  test("a commit by its name, its short id, and from there", () =>
    withStorage(async (storage) => {
      const workspace = openWorkspace(storage);
      const first = await start(workspace);
      await workspace.call(async (git, overlay) => {
        await overlay.writeFile("/a.txt", "two\n");
        await git.add(["/a.txt"]);
        const second = await git.commit({ message: "Two\n\nIt is better." });
        const found = await git.commitAt(second.slice(0, 7));
        expect(found).toMatchObject({ oid: second, parents: [first], message: "Two\n\nIt is better.\n" });
        expect((await git.commitAt(`${second.slice(0, 8)}~1`))?.oid).toBe(first);
        expect((await git.commitAt("main^"))?.oid).toBe(first);
        for (const none of ["nosuch", "abcdef0", "HEAD~9", "", "-x", "a b"])
          expect(await git.commitAt(none)).toBeUndefined();
      });
    }));

  test("the files of each side, and their contents", () =>
    withStorage(async (storage) => {
      const workspace = openWorkspace(storage);
      const commit = await start(workspace);
      await workspace.call(async (git, overlay) => {
        await overlay.writeFile("/b.txt", "new\n");
        const names = async (side: Parameters<typeof git.files>[0]) => [...(await git.files(side)).keys()].sort();
        expect(await names("nothing")).toEqual([]);
        expect(await names({ commit })).toEqual(["a.txt"]);
        expect(await names("index")).toEqual(["a.txt"]);
        expect(await names("work")).toEqual(["a.txt", "b.txt"]);
        const { oid = "" } = (await git.files({ commit })).get("a.txt") ?? {};
        expect(new TextDecoder().decode(await git.readBlob(oid))).toBe("one\n");
        await expect(git.readBlob("0".repeat(40))).rejects.toMatchObject({ code: "git-not-found" });
        expect((await git.diff({ from: "nothing", to: { commit } })).map(({ change }) => change)).toEqual(["create"]);
      });
    }));

  test("tags and the stash, and no other refs", () =>
    withStorage(async (storage) => {
      const workspace = openWorkspace(storage);
      const oid = await start(workspace);
      await workspace.call(async (git) => {
        await git.setRef("refs/tags/v1", "main");
        await git.setRef("refs/stash", oid);
        expect(await git.refs()).toEqual([
          { name: "refs/heads/main", oid },
          { name: "refs/tags/v1", oid },
        ]);
        expect((await git.commitAt("refs/stash"))?.oid).toBe(oid);
        await git.setRef("refs/tags/v1", undefined);
        expect(await git.refs()).toHaveLength(1);
      });
      for (const name of [
        "HEAD",
        "refs/remotes/origin/main",
        "refs/tags/../x",
        "refs/stash/x",
        "config",
        "refs/tags/",
      ]) {
        await workspace.call((git) => expect(git.setRef(name, oid)).rejects.toMatchObject({ code: "git-refused" }));
      }
    }));

  test("settings of people and branches, and none that lead or run elsewhere", () =>
    withStorage(async (storage) => {
      const workspace = openWorkspace(storage);
      await start(workspace);
      await workspace.call(async (git) => {
        await git.setConfig("user.name", "Bob");
        expect(await git.config("user.name")).toBe("Bob");
        await git.setConfig("user.name", undefined);
        await git.setConfig("core.quotePath", "false");
        expect(await git.config("core.quotepath")).toBe("false");
        expect(await git.config("user.name")).toBeUndefined();
      });
      const refused = ["core.hooksPath", "core.sshCommand", "url.x.insteadOf", "remote.origin.url", "http.proxy"];
      for (const key of [...refused, "include.path", "credential.helper", "nodot", "a.b\nc.d"]) {
        await workspace.call((git) => expect(git.setConfig(key, "x")).rejects.toMatchObject({ code: "git-refused" }));
      }
      await workspace.call((git) =>
        expect(git.setConfig("user.name", "x\n[core]\n\tpager = y")).rejects.toMatchObject({ code: "git-refused" }),
      );
    }));

  test("another last commit, another place, and a file that is let go", () =>
    withStorage(async (storage) => {
      const workspace = openWorkspace(storage);
      const first = await start(workspace);
      await workspace.call(async (git, overlay) => {
        await overlay.writeFile("/b.txt", "b\n");
        await git.add(["/b.txt"]);
        const amended = await git.commit({ message: "", amend: true });
        expect(await git.commitAt("HEAD")).toMatchObject({ oid: amended, parents: [], message: "One\n" });
        await git.moveHead(first);
        expect((await git.status()).entries).toEqual([{ path: "/b.txt", staged: "create" }]);
        await git.untrack(["/a.txt"]);
        expect((await git.status()).entries[0]).toEqual({ path: "/a.txt", staged: "delete", unstaged: "untracked" });
        expect(await overlay.exists("/a.txt")).toBe(true);
      });
    }));

  test("nothing to amend before the first commit", () =>
    withStorage(async (storage) => {
      const workspace = openWorkspace(storage);
      await workspace.call(async (git) => {
        await git.init();
        await expect(git.commit({ message: "x", amend: true })).rejects.toMatchObject({ code: "request-invalid" });
      });
    }));
});
