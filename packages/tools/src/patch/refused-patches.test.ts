import { describe, expect, it } from "vitest";
import type { Files } from "../with-tools.ts";
import { withTools } from "../with-tools.ts";
import { codex, diff, LINES, update } from "./with-patches.ts";
import { readAll } from "./with-read-all.ts";

describe("apply_patch: what it refuses, with nothing changed", () => {
  const files: Files = {
    "/a": LINES,
    "/b": "1\n",
    "/dir/c": "1\n",
    "/bin": new Uint8Array([1, 0, 2]),
    "/latin": new Uint8Array([0xe9, 0x0a]),
  };
  // What would happen first, were it not for what follows.
  const first = ["*** Add File: new/n", "+1", "*** Update File: b", "-1", "+2"];
  const after = (...lines: string[]): string => codex(...first, ...lines);
  it.each<[string, string, string | RegExp]>([
    ["no patch", "  \n", /^apply_patch failed: the patch is empty\. Begin with "\*\*\* Begin Patch"/],
    ["prose", "Please change a", /^apply_patch failed: there is no patch in it\. Begin with/],
    ["no changes", codex(), /the patch has no changes\. Use "\*\*\* Add File: <path>"/],
    ["a patch without its first line", "*** Update File: a\n-one\n+1\n", /lacks its first line, "\*\*\* Begin Patch"/],
    [
      "a patch that was cut off",
      "*** Begin Patch\n*** Add File: x\n+1\n",
      /line 3 of the patch: the last line is not "\*\*\* End Patch"/,
    ],
    ["an unknown header", after("*** Frob File: a"), /line 7 of the patch: "\*\*\* Frob File: a" is no header\. Use/],
    ["an update without hunks", after("*** Update File: a"), /line 7 of the patch: the update of a has no hunk/],
    ["a hunk without lines", after("*** Update File: a", "@@ two"), /line 8 of the patch: the hunk has no lines/],
    [
      "a line without its sign",
      after("*** Update File: a", "@@", "one"),
      /line 9 of the patch: "one" begins with none of/,
    ],
    [
      "text of a new file without its sign",
      after("*** Add File: x", "text"),
      /line 8 of the patch: "text" is no header/,
    ],
    ["a hunk of no file", "@@ -1 +1 @@\n-1\n+2\n", /line 1 of the patch: the hunk belongs to no file/],
    ["a diff without hunks", diff("a"), /the patch has no hunk for a/],
    [
      "a missing file",
      after("*** Update File: none", "-1", "+2"),
      /there is no file none \(line 7 of the patch\)\. Check the path/,
    ],
    ["a missing file to delete", after("*** Delete File: none"), /there is no file none/],
    ["a folder to delete", after("*** Delete File: dir"), /^Is a directory: dir\n/],
    ["a folder to update", after("*** Update File: dir", "-1", "+2"), /^Is a directory: dir\n/],
    ["a folder to replace", after("*** Add File: dir", "+1"), /^Is a directory: dir\n/],
    ["a file as a folder", after("*** Add File: a/x", "+1"), /^Not a directory: a/],
    ["a path outside", after("*** Add File: ../x", "+1"), /^Not allowed: \.\.\/x: it is outside/],
    [
      "an absolute path outside",
      diff("../../etc/passwd", "@@ -1 +1 @@", "-1", "+2"),
      /^Not allowed: \.\.\/\.\.\/etc\/passwd/,
    ],
    ["a move outside", after("*** Update File: a", "*** Move to: /tmp/a", "-one", "+1"), /^Not allowed: \/tmp\/a/],
    ["the folder of git", after("*** Add File: .git/hooks/x", "+1"), /^Not allowed: \.git/],
    ["a binary file", after("*** Update File: bin", "-1", "+2"), /bin is a binary file. Change it with bash/],
    ["bytes that are not UTF-8", after("*** Update File: latin", "-1", "+2"), /latin is not valid UTF-8/],
    [
      "a hunk that changes nothing",
      after("*** Update File: a", " one", "-two", "+two"),
      /the patch changes nothing in a/,
    ],
    [
      "a hunk that does not fit",
      after("*** Update File: a", "@@", "-one", "+1", "@@", " four", "-fife", "+5"),
      "apply_patch failed: hunk 2 of 2 for a (line 11 of the patch) does not fit.\nThe nearest lines are:\n4\tfour\n5\tfive\n" +
        'Line 5 has "five", the patch has "fife".\nRead a again and write the hunk from its text; nothing was changed in any file',
    ],
    [
      "a hunk that was applied before",
      after("*** Update File: a", " one", "-deux", "+two", " three"),
      /^apply_patch failed: hunk 1 of 1 for a \(line 8 of the patch\) does not fit\.\nIts result is there already, at line 1\.\n/,
    ],
    [
      "hunks out of order",
      after("*** Update File: a", "@@", "-five", "+5", "@@", "-two", "+2"),
      /hunk 2 of 2 for a \(line 11 of the patch\): its lines are at line 2, before what the patch has above it/,
    ],
    [
      "lines that are not the last ones",
      after("*** Update File: a", "-two", "+2", "*** End of File"),
      /its lines are at line 2, not at the end of the file/,
    ],
    [
      "an anchor that is not there",
      after("*** Update File: a", "@@ function two()", "-two", "+2"),
      /hunk 1 of 1 for a \(line 8 of the patch\): there is no line "function two\(\)"\.\n/,
    ],
    [
      "a new file that exists",
      `${diff("b", "@@ -1 +1 @@", "-1", "+2")}--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+1\n`,
      /a exists already\. Read it/,
    ],
    [
      "a deletion of other content",
      "--- a/b\n+++ /dev/null\n@@ -1 +0,0 @@\n-2\n",
      /b has other content than what the patch deletes/,
    ],
    ["a rename onto another file", "diff --git a/a b/b\nrename from a\nrename to b\n", /b exists already/],
    [
      "what has no content in it",
      "diff --git a/bin b/bin\nBinary files a/bin and b/bin differ\n",
      /line 2 of the patch: it has no content for a file that is binary/,
    ],
    ["half of a character", after("*** Add File: x", "+\ud800"), /patch: has half of a character/],
  ])("%s", (_name, patch, text) =>
    withTools(files, async ({ call, commit, fs }) => {
      const before = fs.tree;
      const output = await call("apply_patch", { patch });
      expect(output.isError).toBe(true);
      if (typeof text === "string") expect(output.text).toBe(text);
      else expect(output.text).toMatch(text);
      expect(await commit()).toBe(before);
    }),
  );

  it("storage that is full in the middle", () =>
    withTools({ "/a": "1\n", "/l": "1\n", "/gone": "1\n" }, async ({ call, fs }) => {
      await fs.chmod("/a", 0o755);
      const before = await readAll(fs);
      const write = fs.writeFileBytes.bind(fs);
      fs.writeFileBytes = (path, bytes) => (path === "/z" ? Promise.reject(new Error("full")) : write(path, bytes));
      const patch = codex(
        "*** Delete File: gone",
        "*** Update File: a",
        "*** Move to: moved",
        "-1",
        "+2",
        "*** Update File: l",
        "-1",
        "+2",
        "*** Add File: z",
        "+1",
      );
      expect(await call("apply_patch", { patch })).toMatchObject({ isError: true });
      expect(await readAll(fs)).toEqual(before);
    }));

  it("an abort", () =>
    withTools({ "/a": "1\n" }, async ({ call, fs }) => {
      const signal = AbortSignal.abort(new Error("stop"));
      await expect(call("apply_patch", { patch: update("a", "-1", "+2") }, signal)).rejects.toThrow("stop");
      expect(await readAll(fs)).toEqual({ "/a": "1\n" });
    }));
});
