import { expect, test } from "vitest";
import type { StorageLike } from "../sql.ts";
import { withStorage } from "../with-store.ts";
import { isCheapToCompare } from "./merge-cost.ts";
import { openWorkspace, type Workspace } from "./with-git.ts";

const linesOf = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => `line ${from + index}`);

test.each<[string, string[], string[], boolean]>([
  ["nothing", [], [], true],
  ["the same", linesOf(30_000), linesOf(30_000), true],
  ["what was added", linesOf(10), linesOf(30_000), true],
  ["what was removed", linesOf(30_000), linesOf(10), true],
  ["a few hundred lines", linesOf(30_000), [...linesOf(29_600), ...linesOf(400, 50_000)], true],
  ["half of a large file", linesOf(30_000), [...linesOf(15_000), ...linesOf(15_000, 50_000)], false],
  ["lines in another order", linesOf(3000), linesOf(3000).toReversed(), false],
])("comparing %s", (_, a, b, cheap) => {
  expect(isCheapToCompare(a, b)).toBe(cheap);
  expect(isCheapToCompare(b, a)).toBe(cheap);
});

async function diverged(storage: StorageLike, base: string[], theirs: string[]): Promise<Workspace> {
  const workspace = openWorkspace(storage);
  const put = (lines: readonly string[]): Promise<string> =>
    workspace.call(async (git, overlay) => {
      await overlay.writeFile("/f", lines.join("\n"));
      await git.add(["/"]);
      return git.commit({ message: "change" });
    });
  await workspace.call((git) => git.init());
  await put(base);
  await workspace.call((git) => git.checkout("theirs", { create: true }));
  await put(theirs);
  await workspace.call((git) => git.checkout("main"));
  await put(["ours", ...base]);
  return workspace;
}

test("a merge that would fill the memory is refused, and nothing has changed", () =>
  withStorage(async (storage) => {
    const base = linesOf(30_000);
    const workspace = await diverged(storage, base, [...linesOf(15_000), ...linesOf(15_000, 50_000)]);
    for (const conflicts of ["refuse", "keep"] as const) {
      const merge = workspace.call((git) => git.merge("theirs", { conflicts }));
      await expect(merge).rejects.toMatchObject({ code: "unsupported" });
    }
    expect((await workspace.files())["/f"]).toBe(["ours", ...base].join("\n"));
  }));

test("thousands of lines that one side added are merged", () =>
  withStorage(async (storage) => {
    const workspace = await diverged(storage, linesOf(3000), linesOf(20_000));
    expect(await workspace.call((git) => git.merge("theirs"))).toMatchObject({ kind: "merge" });
    expect((await workspace.files())["/f"]).toBe(["ours", ...linesOf(20_000)].join("\n"));
  }));
