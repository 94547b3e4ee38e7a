import { expect, test } from "vitest";
import { withStorage } from "../with-store.ts";
import { openWorkspace } from "./with-git.ts";

test.each([
  ["binary", "\0\u00ff\n2\n3\n4\n5\n"],
  ["Latin-1", "caf\u00e9\n2\n3\n4\n5\n"],
])("%s files that both sides changed are a conflict, and no byte of them is another one", (_, text) =>
  withStorage(async (storage) => {
    const bytesOf = (changed: string): Uint8Array => Uint8Array.from(changed, (char) => char.charCodeAt(0));
    const ours = bytesOf(`x${text}`);
    const workspace = openWorkspace(storage);
    const put = (path: string, bytes: Uint8Array): Promise<string> =>
      workspace.call(async (git, overlay) => {
        await overlay.writeFileBytes(path, bytes);
        await git.add(["/"]);
        return git.commit({ message: "change" });
      });
    await workspace.call((git) => git.init());
    await put("/f", bytesOf(text));
    await workspace.call((git) => git.checkout("theirs", { create: true }));
    await put("/other", bytesOf("o"));
    await put("/f", bytesOf(`${text}6\n`));
    await workspace.call((git) => git.checkout("main"));
    await put("/f", ours);
    await expect(workspace.call((git) => git.merge("theirs"))).rejects.toMatchObject({
      code: "git-conflict",
      data: { paths: ["/f"] },
    });
    await workspace.call(async (git, overlay) => {
      expect(await git.merge("theirs", { conflicts: "keep" })).toMatchObject({ kind: "conflict", conflicts: ["/f"] });
      expect(await overlay.readFileBytes("/f")).toEqual(ours);
      expect(await overlay.readFile("/other")).toBe("o");
      expect((await git.status()).entries).toEqual([
        { path: "/f", unmerged: true },
        { path: "/other", staged: "create" },
      ]);
    });
  }),
);
