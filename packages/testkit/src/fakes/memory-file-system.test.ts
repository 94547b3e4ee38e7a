import { fileSystemCases } from "@tenrec/protocol/testing";
import { describe, expect, test } from "vitest";
import { globExpression } from "./glob-expression.ts";
import { memoryFileSystem } from "./memory-file-system.ts";
import { keepsContract } from "./with-cases.ts";

keepsContract("memoryFileSystem", fileSystemCases, () => ({ fs: memoryFileSystem() }));

describe("globExpression", () => {
  test.each<[string, string, boolean]>([
    ["/src/*.ts", "/src/a.ts", true],
    ["/src/*.ts", "/src/b/a.ts", false],
    ["/**/*.ts", "/a.ts", true],
    ["/**/*.ts", "/a/b/c.ts", true],
    ["/src/**", "/src/a/b", true],
    ["/a?.{ts,tsx}", "/ab.tsx", true],
    ["/a?.{ts,tsx}", "/ab.js", false],
    ["/[!ab].ts", "/c.ts", true],
    ["/[!ab].ts", "/a.ts", false],
    ["/a.ts", "/abts", false],
    ["/a,b}", "/a,b}", true],
  ])("%s on %s is %s", (pattern, path, expected) => {
    expect(globExpression(pattern).test(path)).toBe(expected);
  });
});

describe("memoryFileSystem", () => {
  test("has the files that it is made with, and what is written", async () => {
    const fs = memoryFileSystem({ "/src/a.ts": "a" }, { now: () => 7 });
    await fs.writeFile("/src/sub/b.ts", "b");
    await fs.appendFile("/src/sub/b.ts", "c");
    expect(await fs.readdir("/src")).toEqual(["a.ts", "sub"]);
    expect(await fs.readFile("/src/../src/sub/b.ts")).toBe("bc");
    expect(await fs.stat("/src/sub/b.ts")).toEqual({ type: "file", size: 2, mtime: new Date(7), mode: 0o644 });
  });

  test("follows links, and stops at a circle", async () => {
    const fs = memoryFileSystem({ "/a/b.txt": "b" });
    await fs.symlink("../a", "/x/y");
    expect(await fs.readFile("/x/y/b.txt")).toBe("b");
    expect(await fs.realpath("/x/y/b.txt")).toBe("/a/b.txt");
    await fs.writeFile("/x/y/new.txt", "n");
    expect(await fs.readFile("/a/new.txt")).toBe("n");
    await fs.symlink("loop", "/loop");
    await expect(fs.readFile("/loop")).rejects.toMatchObject({ code: "ELOOP" });
    expect(await fs.exists("/loop")).toBe(false);
  });

  test("moves, copies and removes", async () => {
    const fs = memoryFileSystem({ "/a/1": "1", "/a/2": "2" });
    await fs.cp("/a", "/b", { recursive: true });
    await fs.mv("/a/1", "/b/2");
    await fs.rm("/a", { recursive: true });
    expect(await fs.glob("**")).toEqual(["/b", "/b/1", "/b/2"]);
    expect(await fs.readFile("/b/2")).toBe("1");
    await expect(fs.mv("/b", "/b/c")).rejects.toMatchObject({ code: "EINVAL" });
    await expect(fs.rm("/b")).rejects.toMatchObject({ code: "ENOTEMPTY" });
  });

  test("a write that fails leaves no directory behind", async () => {
    const fs = memoryFileSystem({ "/a": "" });
    await expect(fs.writeFile("/a/b/c", "")).rejects.toMatchObject({ code: "ENOTDIR" });
    await fs.mkdir("/d");
    await expect(fs.writeFile("/d", "")).rejects.toMatchObject({ code: "EISDIR" });
    expect(await fs.readdir("/")).toEqual(["a", "d"]);
  });
});
