import { describe, expect, it } from "vitest";
import { withTools } from "../with-tools.ts";

const files = { "/a.txt": "hi\n", "/f": "x", "/d/x": "1\n" };

describe("bash: what a command says that fails", () => {
  it.each([
    ["ls /nope", "ls: cannot access '/nope': No such file or directory"],
    ["ls f/y", "ls: cannot access 'f/y': Not a directory"],
    ["cat d", "cat: d: Is a directory"],
    ["printf '%1000000000s' x", "printf: format width limit exceeded (5242880 bytes)"],
    ["ln -s /etc/passwd p", "ln: failed to create symbolic link 'p': Permission denied"],
    ["ln a.txt hard", "the workspace does not support hard links (use ln -s)"],
    ["touch nope/x", "touch: cannot touch 'nope/x': No such file or directory"],
    ["touch f/x", "touch: cannot touch 'f/x': Not a directory"],
    ["cp a.txt nope/x", "cp: cannot create regular file 'nope/x': No such file or directory"],
    ["truncate -s 1 nope/x", "truncate: nope/x: No such file or directory"],
    ["mktemp -p /nope", "mktemp: /nope/tmp.0000000001: No such file or directory"],
    ["xargs -a nope echo", "xargs: nope: No such file or directory"],
    ["nl nope", "nl: nope: No such file or directory"],
    ["rev nope", "rev: nope: No such file or directory"],
    ["rm /bin/ls", "rm: cannot remove '/bin/ls': Read-only file system"],
    ["ln -s y x; ln -s x y; cat x", "cat: x: Too many levels of symbolic links"],
    ["ln -s y x; ln -s x y; touch x", "Look at them with ls -l, and remove one with rm."],
    ["mkdir .git", "mkdir: cannot create directory '.git': Permission denied"],
    ["cp a.txt .git/config", "The repository is not kept as files. Use git in bash"],
    ["cat .git/config", "The repository is not kept as files. Use git in bash"],
    [`touch ${"n".repeat(300)}`, ": File name too long"],
    ["tail -f a.txt --pid nope", "tail"],
  ])("%s", (command, wanted) =>
    withTools(files, async ({ call }) => {
      const { text } = await call("bash", { command });
      expect(text).toContain(wanted);
      expect(text).not.toMatch(/Internal error|\bE[A-Z]{3,}: /);
    }),
  );
});
