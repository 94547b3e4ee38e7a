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

describe("apply_patch: headers that lead astray", () => {
  const files: Files = { "/a": LINES, "/b": "1\n", "/dir/c": "1\n" };
  const git = (name: string, ...lines: string[]): string => [`diff --git a/${name} b/${name}`, ...lines, ""].join("\n");
  const link = (path: string, target: string): string =>
    git(
      path,
      "new file mode 120000",
      "--- /dev/null",
      `+++ b/${path}`,
      "@@ -0,0 +1 @@",
      `+${target}`,
      "\\ No newline at end of file",
    );
  const quoted = (name: string): string =>
    [
      `diff --git ${name} ${name}`,
      "new file mode 100644",
      "--- /dev/null",
      `+++ ${name}`,
      "@@ -0,0 +1 @@",
      "+1",
      "",
    ].join("\n");
  const leads = /^Not allowed: [\w/]+: the patch makes it a link to ".*", which leads (out of|into)/;
  it.each<[string, string, RegExp]>([
    ["a link to an absolute path", link("l", "/etc/passwd"), leads],
    ["a link to an absolute path inside", link("l", "/workspace/a"), /targets are relative to the link/],
    ["a link to a folder above", link("l", "../x"), leads],
    ["a link far above", link("dir/l", "../../../etc"), leads],
    ["a link above, with dots", link("dir/l", ".././/../x"), leads],
    [
      "a link above by way of a folder",
      link("l", "dir/../../x"),
      /target "dir\/..\/..\/x" of the link has \.\. behind/,
    ],
    ["a link into .git", link("dir/l", "../.GIT/config"), leads],
    ["a link to nothing", git("l", "new file mode 120000"), /the target "" of the link is not one line/],
    [
      "a link with two lines",
      git("l", "new file mode 120000", "--- /dev/null", "+++ b/l", "@@ -0,0 +1,2 @@", "+a", "+b"),
      /the target "a\\nb" of the link is not one line/,
    ],
    [
      "a link below another one that leads up",
      git("deep/l", "rename from in/l", "rename to l").replace(/^.*$/m, "diff --git a/in/l b/l"),
      leads,
    ],
    [
      "a file below a link that comes",
      `${link("l", "dir")}${git("l/c", "new file mode 100644")}`,
      /l\/c is below l, which/,
    ],
    ["a submodule that comes", git("m", "new file mode 160000"), /line 2 of the patch: 160000 is a submodule/],
    ["a submodule that moves on", git("m", "index 1234567..89abcde 160000"), /160000 is a submodule/],
    ["a submodule that goes", git("m", "deleted file mode 160000"), /160000 is a submodule/],
    ["a folder", git("m", "new file mode 040000"), /040000 is a folder, which comes with the files in it/],
    ["a device", git("m", "new file mode 060000"), /"060000" is no mode of a file\. Use 100644/],
    ["a mode of other digits", git("m", "new file mode 1006x4"), /"1006x4" is no mode of a file/],
    ["a mode that is too short", git("a", "old mode 100644", "new mode 755"), /"755" is no mode of a file/],
    [
      "a file that turns into a link",
      git("a", "old mode 100644", "new mode 120000"),
      /does not become a link by its mode/,
    ],
    [
      "a name whose quote is open",
      quoted('"a/x'),
      /line 4 of the patch: the name "a\/x begins with a quote that is not/,
    ],
    ["an escaped last quote", diff("x").replaceAll(/[ab]\/x/g, String.raw`"b/x\"`), /a quote that is not closed/],
    ["bytes that are no UTF-8", quoted(String.raw`"a/\377"`), /the name "a\/\\377" is not UTF-8/],
    ["half of an UTF-8 character", quoted(String.raw`"a/\303"`), /is not UTF-8/],
    ["a number that is no byte", quoted(String.raw`"a/\777"`), /has \\7, which is no escape of git/],
    ["an escape that git has not", quoted(String.raw`"a/\q"`), /has \\q, which is no escape of git/],
    ["a NUL", quoted(String.raw`"a/\000x"`), /it holds a NUL/],
    ["more behind the quotes", '--- "a/a"x\n+++ b/a\n@@ -1 +1 @@\n-one\n+1\n', /after the name in quotes comes "x"/],
    ["nothing on both sides", "--- /dev/null\n+++ /dev/null\n@@ -0,0 +1 @@\n+1\n", /there is no file on either side/],
    [
      "nothing on both sides of a git diff",
      git("x", "new file mode 100644", "--- /dev/null", "+++ /dev/null", "@@ -0,0 +1 @@", "+1"),
      /there is no file on either side/,
    ],
    [
      "a new file that is nothing",
      git("x", "new file mode 100644", "--- a/x", "+++ /dev/null", "@@ -0,0 +1 @@", "+1"),
      /has \/dev\/null for the file, and another one says that it is created/,
    ],
    [
      "a deleted file that was not",
      git("a", "deleted file mode 100644", "--- /dev/null", "+++ b/a", "@@ -0,0 +1 @@", "+1"),
      /says that it is deleted/,
    ],
    ["a rename to nothing", git("a", "rename from a", "rename to /dev/null"), /says that it is moved/],
    [
      "other names above than below",
      git("a", "--- a/b", "+++ b/b", "@@ -1 +1 @@", "-1", "+2"),
      /line 2 of the patch: the file is "b" here, and "a" above/,
    ],
    ["a rename to the same name", git("a", "rename from a", "rename to a"), /a is moved to itself/],
    ["a rename to the same path", git("a", "rename from a", "rename to ./a"), /a is moved to itself/],
    ["a copy to the same name", git("a", "copy from a", "copy to a"), /a is copied to itself/],
    [
      "a move to the same path",
      codex("*** Update File: a", "*** Move to: /workspace/a", "-one", "+1"),
      /a is moved to itself/,
    ],
    [
      "a file that is added twice",
      codex("*** Add File: x", "+1", "*** Add File: ./x", "+2"),
      /line 4 of the patch: this would replace what the patch has elsewhere for x/,
    ],
    [
      "two moves to one place",
      codex("*** Update File: a", "*** Move to: x", "*** Update File: b", "*** Move to: x"),
      /line 4 of the patch: this would replace what .* for x/,
    ],
    [
      "a move onto a file of the patch",
      codex("*** Update File: a", "*** Move to: b", "*** Update File: b", "*** Move to: a"),
      /this would replace what .* for b/,
    ],
    [
      "a new file over one that was changed",
      codex("*** Update File: b", "-1", "+2", "*** Add File: b", "+3"),
      /this would replace what .* for b/,
    ],
    ["a new file twice, in a diff", `${quoted('"b/x"')}${quoted('"b/x"')}`, /x exists already/],
  ])("%s", (_name, patch, text) =>
    withTools(files, async ({ call, commit, fs }) => {
      await fs.symlink("../a", "/in/l");
      const before = await commit();
      const output = await call("apply_patch", { patch });
      expect(output.text).toMatch(text);
      expect(output.isError).toBe(true);
      expect(await commit()).toBe(before);
    }),
  );

  it("takes links that stay, from folders that are links too", () =>
    withTools(files, async ({ call, fs }) => {
      await fs.symlink("dir", "/d");
      const patch =
        link("dir/l", "../a") + link("d/m", "../b") + link("deep/er/l", "../../dir/c") + link("n", "./none");
      expect(await call("apply_patch", { patch })).toMatchObject({ text: expect.stringMatching(/^Patched 4 files/) });
      expect([await fs.readFile("/dir/l"), await fs.readFile("/dir/m"), await fs.readFile("/deep/er/l")]).toEqual([
        LINES,
        "1\n",
        "1\n",
      ]);
    }));

  it("looks at where a link really is", () =>
    withTools(files, async ({ call, fs }) => {
      await fs.symlink("../..", "/deep/er/up");
      expect(await call("apply_patch", { patch: link("deep/er/up/l", "../a") })).toMatchObject({
        isError: true,
        text: expect.stringMatching(leads),
      });
    }));

  it("takes a link whose line end was forgotten", () =>
    withTools(files, async ({ call, fs }) => {
      const patch = link("l", "dir/c").replace("\\ No newline at end of file\n", "");
      expect(await call("apply_patch", { patch })).not.toHaveProperty("isError");
      expect(await fs.readlink("/l")).toBe("dir/c");
    }));
});
