import { describe, expect, test } from "vitest";
import { withStorage } from "../with-store.ts";
import { openWorkspace, type Workspace } from "./with-git.ts";

const TEN = Array.from({ length: 10 }, (_, at) => `${at}\n`).join("");

/** `main` with a commit that `topic` has not, and the other way round; checked out is `main`. */
async function start(workspace: Workspace, ours: string, theirs: string): Promise<{ topic: string; base: string }> {
  return workspace.call(async (git, overlay) => {
    const commit = async (text: string): Promise<string> => {
      await overlay.writeFile("/a.txt", text);
      await git.add(["/"]);
      return git.commit({ message: "A change", allowEmpty: true });
    };
    await git.init();
    const base = await commit(TEN);
    await git.checkout("topic", { create: true });
    const topic = await commit(theirs);
    await git.checkout("main");
    await commit(ours);
    return { topic, base };
  });
}

describe("a change made again", () => {
  test("comes into the index and the work tree, and its commit has one parent", () =>
    withStorage(async (storage) => {
      const workspace = openWorkspace(storage);
      const { topic, base } = await start(workspace, `${TEN}ours\n`, TEN.replace("1\n", "one\n"));
      await workspace.call(async (git, overlay) => {
        const head = (await git.status()).commit;
        await overlay.writeFile("/untracked.txt", "mine\n");
        await git.pickChange(base, topic);
        expect(await overlay.readFile("/a.txt")).toBe(`${TEN.replace("1\n", "one\n")}ours\n`);
        expect((await git.status()).entries).toEqual([
          { path: "/a.txt", staged: "modify" },
          { path: "/untracked.txt", unstaged: "untracked" },
        ]);
        const { author } = (await git.commitAt(topic)) ?? {};
        const oid = await git.commit({
          message: "Again",
          author: { name: "Bob", email: "bob@example.com", timestamp: 1, timezoneOffset: -60 },
        });
        expect(await git.commitAt(oid)).toMatchObject({
          parents: [head],
          author: { name: "Bob", timestamp: 1, timezoneOffset: -60 },
          committer: { name: author?.name },
        });
        // The other way round, it is taken back.
        await git.pickChange(topic, base);
        expect(await overlay.readFile("/a.txt")).toBe(`${TEN}ours\n`);
      });
    }));

  test("is refused where both changed the same, and nothing is changed", () =>
    withStorage(async (storage) => {
      const workspace = openWorkspace(storage);
      const { topic, base } = await start(workspace, TEN.replace("1\n", "uno\n"), TEN.replace("1\n", "one\n"));
      await workspace.call(async (git, overlay) => {
        await expect(git.pickChange(base, topic)).rejects.toMatchObject({
          code: "git-conflict",
          data: { paths: ["/a.txt"] },
        });
        expect(await overlay.readFile("/a.txt")).toContain("uno");
        expect(await git.status()).toMatchObject({ entries: [] });
      });
    }));

  test("does not go over what was not committed", () =>
    withStorage(async (storage) => {
      const workspace = openWorkspace(storage);
      const { topic, base } = await start(workspace, TEN, TEN.replace("1\n", "one\n"));
      await workspace.call(async (git, overlay) => {
        await overlay.writeFile("/a.txt", "mine\n");
        await expect(git.pickChange(base, topic)).rejects.toMatchObject({ code: "git-local-changes" });
        expect(await overlay.readFile("/a.txt")).toBe("mine\n");
      });
    }));
});

test("what ignores a path is told with its file and line, whether or not it is there", () =>
  withStorage(async (storage) => {
    const workspace = openWorkspace(storage);
    await workspace.call(async (git, overlay) => {
      await git.init();
      await overlay.writeFile("/.gitignore", "# built\ndist/\n*.log\n!keep.log\n");
      await overlay.writeFile("/src/.gitignore", "/own.log\n!*.log\n");
      const told = async (path: string): Promise<string | undefined> => {
        const rule = await git.ignoredBy(path);
        return rule && `${rule.file}:${rule.line}:${rule.rule}:${rule.isIgnored}`;
      };
      expect(await told("/dist/a/b.js")).toBe("/.gitignore:2:dist/:true");
      expect(await told("/dist")).toBeUndefined();
      expect(await told("/dist/")).toBe("/.gitignore:2:dist/:true");
      expect(await told("/x.log")).toBe("/.gitignore:3:*.log:true");
      expect(await told("/keep.log")).toBe("/.gitignore:4:!keep.log:false");
      expect(await told("/src/x.log")).toBe("/src/.gitignore:2:!*.log:false");
      expect(await told("/README.md")).toBeUndefined();
    });
  }));

test("a diff with another context, and without regard to blanks", () =>
  withStorage(async (storage) => {
    const workspace = openWorkspace(storage);
    await start(workspace, TEN, TEN);
    await workspace.call(async (git, overlay) => {
      const patch = async (form: Parameters<typeof git.diff>[0]): Promise<string | undefined> =>
        (await git.diff({ from: "index", to: "work", ...form }))[0]?.patch;
      await overlay.writeFile("/a.txt", TEN.replace("5\n", "five\n"));
      expect(await patch({ context: 0 })).toContain("@@ -6 +6 @@\n-5\n+five\n");
      expect(await patch({ context: 1 })).toContain("@@ -5,3 +5,3 @@\n 4\n-5\n+five\n 6\n");
      await overlay.writeFile("/a.txt", TEN.replace("5\n", "  5 \n"));
      expect(await patch({})).toContain("+  5 \n");
      expect(await patch({ ignoreSpace: "amount" })).toContain("+  5 \n");
      expect(await patch({ ignoreSpace: "all" })).toBe("");
      await overlay.writeFile("/a.txt", TEN.replace("5\n", "5 \n"));
      expect(await patch({ ignoreSpace: "end" })).toBe("");
      expect(await patch({ ignoreSpace: "amount" })).toBe("");
    });
  }));
