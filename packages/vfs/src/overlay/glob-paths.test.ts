import { expect, test } from "vitest";
import { TreeStore } from "../tree-store.ts";
import { withStorage } from "../with-store.ts";

test.each([
  ["too long", "x".repeat(70_000)],
  ["too long with its braces", "{a*,aa*}".repeat(18)],
  ["no text", 5 as never],
])("a pattern that is %s is refused", (_, pattern) =>
  withStorage(async (storage) => {
    const store = new TreeStore(storage);
    const overlay = store.overlay(store.emptyTree);
    await overlay.writeFile("/aaa", "");
    await expect(overlay.glob(pattern)).rejects.toMatchObject({ code: "EINVAL" });
    expect(await overlay.glob("a*")).toEqual(["/aaa"]);
  }),
);
