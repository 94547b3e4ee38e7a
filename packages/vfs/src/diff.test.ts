import { describe, expect, test } from "vitest";
import { TreeStore } from "./tree-store.ts";
import { unifiedHunks } from "./unified-patch.ts";
import { withStorage } from "./with-store.ts";

describe("diff", () => {
  test("unified for text, noted for the rest", () =>
    withStorage(async (storage) => {
      const store = new TreeStore(storage);
      store.setHead("main", store.emptyTree);
      const first = store.overlay(store.head("main"));
      await first.writeFile("/edit", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
      await first.writeFile("/gone", "x");
      await first.writeFile("/run", "x");
      await first.writeFile("/same/deep", "x");
      await first.symlink("edit", "/link");
      await first.writeFileBytes("/bin", Uint8Array.of(0, 1));
      await first.writeFile("/grows", "x\n");
      await first.writeFile("/huge", "x\n".repeat(600_000));
      const a = store.commit("main", await store.stage(first)).tree;
      const second = store.overlay(a);
      await second.writeFile("/edit", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n");
      await second.rm("/gone");
      await second.chmod("/run", 0o755);
      await second.rm("/link");
      await second.symlink("run", "/link");
      await second.writeFileBytes("/bin", Uint8Array.of(0, 2));
      await second.writeFile("/grows", "x\n".repeat(600_000));
      await second.writeFile("/huge", "y");
      await second.writeFile("/new", "n\n");
      await second.mkdir("/empty");
      const b = store.commit("main", await store.stage(second)).tree;
      const diffs = await store.diff(a, b);
      expect(diffs.map(({ path, change }) => `${change} ${path}`)).toEqual([
        "modify /bin",
        "modify /edit",
        "delete /gone",
        "modify /grows",
        "modify /huge",
        "modify /link",
        "create /new",
        "modify /run",
      ]);
      const [bin, edit, gone, grows, huge, link, created, run] = diffs;
      expect(bin).toEqual({
        path: "/bin",
        change: "modify",
        binary: true,
        patch: "diff --git a/bin b/bin\nBinary files a/bin and b/bin differ\n",
        added: 0,
        removed: 0,
      });
      expect(edit).toMatchObject({ added: 1, removed: 1, binary: false });
      expect(edit?.patch).toBe(
        "diff --git a/edit b/edit\n--- a/edit\n+++ b/edit\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
      );
      expect(gone?.patch).toBe(
        "diff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\\ No newline at end of file\n",
      );
      expect(grows?.patch).toBe("Too large to compare: 2 bytes before, 1200000 after\n");
      expect(huge?.patch).toBe("Too large to compare: 1200000 bytes before, 1 after\n");
      expect(link).toMatchObject({ added: 1, removed: 1 });
      expect(created).toMatchObject({ added: 1, removed: 0 });
      expect(run?.patch).toBe("diff --git a/run b/run\nold mode 100644\nnew mode 100755\n");
      expect(await store.diff(b, b)).toEqual([]);
    }));

  test("an abort ends it, and what is not included is not there", () =>
    withStorage(async (storage) => {
      const store = new TreeStore(storage);
      store.setHead("main", store.emptyTree);
      const first = store.overlay(store.emptyTree);
      await first.writeFile("/old", "the same\n");
      await first.writeFile("/other", "1");
      const a = store.commit("main", await store.stage(first)).tree;
      const second = store.overlay(a);
      await second.mv("/old", "/new");
      await second.rm("/other");
      const b = store.commit("main", await store.stage(second)).tree;
      const list = async (includes?: (path: string) => boolean): Promise<string[]> =>
        (await store.diff(a, b, includes ? { includes } : {})).map(
          ({ change, from, path }) => `${change} ${from} ${path}`,
        );
      expect(await list()).toEqual(["rename /old /new", "delete undefined /other"]);
      expect(await list((path) => path !== "/old")).toEqual(["create undefined /new", "delete undefined /other"]);
      expect(await list((path) => path === "/old")).toEqual(["delete undefined /old"]);
      const reason = new Error("enough");
      await expect(store.diff(a, b, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    }));

  test("texts with nothing in common are one block, in time", () => {
    const lines = (prefix: string): string => Array.from({ length: 20_000 }, (_, i) => `${prefix}${i}\n`).join("");
    const { text, added, removed } = unifiedHunks(`same\n${lines("a")}end`, `same\n${lines("b")}end`);
    expect([added, removed]).toEqual([20_000, 20_000]);
    expect(text.startsWith("@@ -1,20002 +1,20002 @@\n same\n-a0\n")).toBe(true);
    expect(text.endsWith("+b19999\n end\n\\ No newline at end of file\n")).toBe(true);
  });
});
