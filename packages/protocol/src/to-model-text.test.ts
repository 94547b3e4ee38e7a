import { describe, expect, test } from "vitest";
import type { ErrorCode, ErrorData } from "./errors.ts";
import { TenrecError } from "./errors.ts";
import { toModelText } from "./to-model-text.ts";

describe("toModelText", () => {
  const cases: { [C in ErrorCode]?: { data: ErrorData[C]; advice: string } } = {
    ENOENT: { data: { path: "/a" }, advice: "ls or glob" },
    EISDIR: { data: { path: "/src" }, advice: "ls on /src" },
    ENOTDIR: { data: { path: "/a/b" }, advice: "ls" },
    EEXIST: { data: { path: "/a" }, advice: "another path" },
    ENOTEMPTY: { data: { path: "/a" }, advice: "rm -r" },
    ELOOP: { data: { path: "/a" }, advice: "ls -l" },
    EINVAL: { data: { path: "/a", reason: "it is /a itself" }, advice: "Correct it" },
    EACCES: { data: { path: "/a", reason: "outside" }, advice: "/workspace" },
    EFBIG: { data: { path: "/a", size: 2, limit: 1 }, advice: "offset and limit" },
    ENOSPC: { data: { used: 2, limit: 1 }, advice: "Write less" },
    EIO: { data: { path: "/a", reason: "lost" }, advice: "tell the user" },
    "file-unread": { data: { path: "/a" }, advice: "Read it first" },
    "file-changed": { data: { path: "/a" }, advice: "Read it again" },
    "tree-conflict": { data: { paths: ["/a"] }, advice: "Read these files again" },
    "git-refused": { data: { what: "a path", reason: "it is hostile" }, advice: "Tell the user" },
    "git-not-found": { data: { what: "branch x" }, advice: "List the branches" },
    "git-too-large": { data: { what: "the pack", limit: 1 }, advice: "depth 1" },
    "git-conflict": { data: { paths: ["/a"] }, advice: "by hand" },
    "git-local-changes": { data: { paths: ["/a"] }, advice: "commit" },
    "git-push-rejected": { data: { ref: "refs/heads/x", reason: "not-fast-forward" }, advice: "Pull" },
    "git-unauthorized": { data: { url: "https://example.com", needs: "GIT_TOKEN" }, advice: "Tell the user" },
    "permission-denied": { data: { permission: "network", detail: "curl" }, advice: "another way" },
    "tool-input-invalid": { data: { tool: "ls", reason: "no path" }, advice: "Correct the arguments" },
  };

  test.each(Object.entries(cases))("%s names the next call to make", (code, { data, advice }) => {
    const [message, next, ...rest] = toModelText(new TenrecError(code as ErrorCode, data)).split("\n");
    expect(message).not.toBe("");
    expect(next).toContain(advice);
    expect(rest).toEqual([]);
  });

  test.each(["/.git", ".git/HEAD", "/a/.git/x"])("of %s, that git is the way to it", (path) => {
    expect(toModelText(new TenrecError("EACCES", { path, reason: "no file" }))).toContain("git config");
  });

  test("a code that a model can do nothing about is its message alone", () => {
    expect(toModelText(new TenrecError("tree-not-found", { tree: "t1" }))).toBe("No such tree: t1");
  });

  test("anything thrown becomes text without a stack", () => {
    const error = new Error("boom");
    expect(toModelText(error)).toBe("Internal error: boom");
    expect(toModelText("boom")).toBe("Internal error: boom");
  });
});
