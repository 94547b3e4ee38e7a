import { expect, test } from "vitest";
import { fileTree } from "./file-tree.ts";

test("puts paths into folders, in their order", () => {
  const root = fileTree(["/a/b/c.ts", "/a/d.ts", "/e.ts"]);
  expect(root.files).toEqual([{ name: "e.ts", path: "/e.ts" }]);
  expect([...root.folders.keys()]).toEqual(["a"]);
  const a = root.folders.get("a");
  expect(a?.files).toEqual([{ name: "d.ts", path: "/a/d.ts" }]);
  expect(a?.folders.get("b")?.files).toEqual([{ name: "c.ts", path: "/a/b/c.ts" }]);
});
