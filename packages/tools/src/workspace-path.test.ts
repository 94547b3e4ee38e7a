import { describe, expect, it } from "vitest";
import { toModelPath, toTreePath } from "./workspace-path.ts";

describe("workspace paths", () => {
  it.each([
    ["a.ts", "/a.ts"],
    ["./src//a.ts", "/src/a.ts"],
    ["src/../a.ts", "/a.ts"],
    ["src/", "/src"],
    [".", "/"],
    ["", "/"],
    ["/workspace", "/"],
    ["/workspace/", "/"],
    ["/workspace/src/./a.ts", "/src/a.ts"],
    ["a b/ü.ts", "/a b/ü.ts"],
    ["...", "/..."],
    ["~x", "/~x"],
  ])("%j is %s in the tree", (path, tree) => {
    expect(toTreePath(path)).toBe(tree);
  });

  it.each([
    "/",
    "/etc/passwd",
    "/workspaces/a",
    "..",
    "a/../..",
    "/workspace/../x",
    "/workspace/a/../../workspace/b",
    "~",
    "~/a",
  ])("%s is outside", (path) => {
    expect(() => toTreePath(path)).toThrow(
      expect.objectContaining({ code: "EACCES", data: expect.objectContaining({ path }) }),
    );
  });

  it("shows tree paths relative to the workspace", () => {
    expect([toModelPath("/"), toModelPath("/src/a.ts")]).toEqual([".", "src/a.ts"]);
  });
});
