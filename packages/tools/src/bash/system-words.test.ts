import { TenrecError } from "@tenrec/protocol";
import { describe, expect, test } from "vitest";
import { SystemWords } from "./system-words.ts";

const opening = (words: SystemWords, path: string, code: string): Promise<void> =>
  words
    .watch(path, "", "binary", Promise.reject(Object.assign(new Error(`${code}: no`), { code })))
    .catch(() => undefined);

describe("failures in the words of the system", () => {
  test.each([
    ["bash: nowhere/x: cannot open redirect target", "bash: nowhere/x: No such file or directory"],
    ["bash: ../y: cannot open redirect target", "bash: ../y: Not a directory"],
    ["bash: unknown: cannot open redirect target", "bash: unknown: Permission denied"],
    [
      "rm: cannot remove 'a': ELOOP: Too many symbolic links: /a",
      "rm: cannot remove 'a': Too many levels of symbolic links",
    ],
    ["rev: ELOOP: Too many symbolic links: /a", "rev: a: Too many levels of symbolic links"],
    ["cp: cannot copy 'a': EROFS: read-only file system '/bin/x'", "cp: cannot copy 'a': Read-only file system"],
    ["mv: cannot move '/w': EBUSY: mount point, cannot move '/w'", "mv: cannot move '/w': Device or resource busy"],
    ["x: ENOENT: no such file or directory, open '/tmp/x'", "x: /tmp/x: No such file or directory"],
    ["x: ln: EXDEV: cross-device link not permitted, link '/a' -> '/b'", "x: ln: /a: Invalid cross-device link"],
    ["what: EFOO: something else", "what: EFOO: something else"],
    ["a script says ENOENT: gone", "a script says ENOENT: gone"],
  ])("%s", async (said, wanted) => {
    const words = new SystemWords();
    await opening(words, "/nowhere/x", "ENOENT");
    await opening(words, "/y", "ENOTDIR");
    words.note("ELOOP: Too many symbolic links: /a", "a", new TenrecError("ELOOP", { path: "/a" }));
    expect(words.apply(`one\n${said}\ntwo\n`)).toBe(`one\n${wanted}\ntwo\n`);
  });
});
