import { describe, expect, it } from "vitest";
import type { Files } from "../with-tools.ts";
import { withTools } from "../with-tools.ts";
import { codex, diff, LINES, update } from "./with-patches.ts";
import { readAll } from "./with-read-all.ts";

interface Row {
  readonly name: string;
  readonly before: Files;
  readonly patch: string;
  /** All files afterwards. */
  readonly after: Readonly<Record<string, string>>;
  /** What the answer says; it is compared only when it is here. */
  readonly text?: string | RegExp;
}

const CODEX: readonly Row[] = [
  {
    name: "add, update, move and delete at once",
    before: { "/a": "1\n2\n", "/b": "x\ny\n", "/c": "gone\n" },
    patch: codex(
      "*** Add File: d/new",
      "+n",
      "+",
      "*** Update File: a",
      "@@",
      " 1",
      "-2",
      "+two",
      "*** Update File: b",
      "*** Move to: d/b",
      "@@",
      "-y",
      "+Y",
      "*** Delete File: c",
    ),
    after: { "/a": "1\ntwo\n", "/d/b": "x\nY\n", "/d/new": "n\n\n" },
    text: "Patched 4 files (+4 -2)\nA d/new (+2 -0)\nM a (+1 -1)\nR b -> d/b (+1 -1)\nD c (+0 -0)",
  },
  {
    name: "a move without a change",
    before: { "/a": "1\n" },
    patch: codex("*** Update File: a", "*** Move to: b/c"),
    after: { "/b/c": "1\n" },
  },
  {
    name: "a move over another file",
    before: { "/a": "1\n", "/b": "2\n" },
    patch: codex("*** Update File: a", "*** Move to: b", "-1", "+one"),
    after: { "/b": "one\n" },
  },
  {
    name: "the same file twice",
    before: { "/a": LINES },
    patch: codex("*** Update File: a", "-one", "+1", "*** Update File: a", "-1", "-two", "+2"),
    after: { "/a": "2\nthree\nfour\nfive\nsix\n" },
  },
  {
    name: "anchors, one after another",
    before: { "/a": "class A\n  f\n    x\nclass B\n  f\n    x\n" },
    patch: update("a", "@@ class B", "@@   f", "-    x", "+    y"),
    after: { "/a": "class A\n  f\n    x\nclass B\n  f\n    y\n" },
    text: /^Patched 1 file \(\+1 -1\)\nM a \(\+1 -1\)$/,
  },
  {
    name: "an anchor that is a line of the hunk too",
    before: { "/a": "def f\n  x\n" },
    patch: update("a", "@@ def f", " def f", "-  x", "+  y"),
    after: { "/a": "def f\n  y\n" },
  },
  {
    name: "a header with numbers, as of a diff",
    before: { "/a": LINES },
    patch: update("a", "@@ -90,1 +90,1 @@ f()", "-two", "+2"),
    after: { "/a": "one\n2\nthree\nfour\nfive\nsix\n" },
  },
  {
    name: "lines that only come, at the end",
    before: { "/a": "1" },
    patch: update("a", "@@", "+2", "+3"),
    after: { "/a": "1\n2\n3\n" },
  },
  {
    name: "lines that only come, below an anchor",
    before: { "/a": LINES },
    patch: update("a", "@@ two", "+2a"),
    after: { "/a": "one\ntwo\n2a\nthree\nfour\nfive\nsix\n" },
  },
  {
    name: "blank lines without their blank, and one too many at the end",
    before: { "/a": "1\n\n2\n" },
    patch: update("a", " 1", "", "-2", "+two", "", ""),
    after: { "/a": "1\n\ntwo\n" },
  },
  {
    name: "the last of two places, by its end of file",
    before: { "/a": "x\ny\nx\n" },
    patch: update("a", "@@", "-x", "+z", "*** End of File"),
    after: { "/a": "x\ny\nz\n" },
    text: /^Patched 1 file[^]*\)$/,
  },
  {
    name: "a here-document around it",
    before: { "/a": "1\n" },
    patch: `apply_patch <<'EOF'\n${update("a", "-1", "+2")}EOF\n`,
    after: { "/a": "2\n" },
  },
  {
    name: "a fence around it",
    before: { "/a": "1\n" },
    patch: `\`\`\`diff\n${update("a", "-1", "+2")}\`\`\``,
    after: { "/a": "2\n" },
  },
  {
    name: "CRLF in all its lines",
    before: { "/a": "1\r\n2\r\n" },
    patch: update("a", "-1", "+one").replaceAll("\n", "\r\n"),
    after: { "/a": "one\r\n2\r\n" },
  },
  { name: "$ as it is", before: { "/a": "1\n" }, patch: update("a", "-1", "+$& $1 $$"), after: { "/a": "$& $1 $$\n" } },
];

const BYTES: readonly Row[] = [
  {
    name: "CRLF",
    before: { "/a": "1\r\n2\r\n3\r\n" },
    patch: update("a", " 1", "-2", "+two", "+2b", " 3"),
    after: { "/a": "1\r\ntwo\r\n2b\r\n3\r\n" },
  },
  {
    name: "CRLF, by a diff without it",
    before: { "/a": "1\r\n2\r\n3\r\n" },
    patch: diff("a", "@@ -1,3 +1,3 @@", " 1", "-2", "+two", " 3"),
    after: { "/a": "1\r\ntwo\r\n3\r\n" },
  },
  {
    name: "LF, by a diff with CRLF in its lines",
    before: { "/a": "1\n2\n3\n" },
    patch: diff("a", "@@ -1,3 +1,3 @@", " 1\r", "-2\r", "+two\r", " 3\r"),
    after: { "/a": "1\ntwo\n3\n" },
  },
  {
    name: "a diff that changes line ends",
    before: { "/a": "1\r\n2\r\n3\r\n" },
    patch: diff("a", "@@ -1,3 +1,3 @@", " 1\r", "-2\r", "+2", " 3\r"),
    after: { "/a": "1\r\n2\n3\r\n" },
  },
  {
    name: "mixed ends of the lines around",
    before: { "/a": "1\n2\r\n3\n4\r\n" },
    patch: update("a", " 2", "-3", "+three", " 4"),
    after: { "/a": "1\n2\r\nthree\n4\r\n" },
  },
  { name: "lone CRs", before: { "/a": "1\r2\r3" }, patch: update("a", "-2", "+two"), after: { "/a": "1\rtwo\r3" } },
  {
    name: "a byte order mark",
    before: { "/a": "\ufeff1\r\n2\r\n" },
    patch: update("a", "-1", "+one", "+1b", " 2"),
    after: { "/a": "\ufeffone\r\n1b\r\n2\r\n" },
  },
  {
    name: "no last line end",
    before: { "/a": "1\n2\n3" },
    patch: update("a", "-1", "+one", " 2"),
    after: { "/a": "one\n2\n3" },
  },
  {
    name: "no last line end, in the context",
    before: { "/a": "1\n2" },
    patch: update("a", "-1", "+one", " 2"),
    after: { "/a": "one\n2" },
  },
  {
    name: "no last line end, on both sides of a diff",
    before: { "/a": "1\n2" },
    patch: diff(
      "a",
      "@@ -1,2 +1,2 @@",
      " 1",
      "-2",
      "\\ No newline at end of file",
      "+two",
      "\\ No newline at end of file",
    ),
    after: { "/a": "1\ntwo" },
  },
  {
    name: "a last line end that comes by a diff",
    before: { "/a": "1" },
    patch: diff("a", "@@ -1 +1,2 @@", "-1", "\\ No newline at end of file", "+1", "+2"),
    after: { "/a": "1\n2\n" },
  },
  {
    name: "trailing blanks and quotes of the context",
    before: { "/a": "“1”  \n2\n3\t\n" },
    patch: update("a", ' "1"', "-2", "+two", " 3"),
    after: { "/a": "“1”  \ntwo\n3\t\n" },
  },
];

const GIT: readonly Row[] = [
  {
    name: "a mail of git, with text around it",
    before: { "/src/a.ts": "1\n2\n" },
    patch: [
      "From 0123 Mon Sep 17 00:00:00 2001",
      "Subject: [PATCH] x",
      "---",
      " src/a.ts | 2 +-",
      "",
      "diff --git a/src/a.ts b/src/a.ts",
      "index 1..2 100644",
      "--- a/src/a.ts",
      "+++ b/src/a.ts",
      "@@ -1,2 +1,2 @@ function f()",
      "-1",
      "+one",
      " 2",
      "-- ",
      "2.40.0",
      "",
    ].join("\n"),
    after: { "/src/a.ts": "one\n2\n" },
  },
  {
    name: "without prefixes, and with times",
    before: { "/b/a": "1\n" },
    patch: "--- b/a\t2026-01-01 00:00:00\n+++ b/a\t2026-01-02 00:00:00\n@@ -1 +1 @@\n-1\n+2\n",
    after: { "/b/a": "2\n" },
  },
  {
    name: "a new and a deleted file without the lines of git",
    before: { "/old": "1\n" },
    patch: "--- /dev/null\n+++ b/new\n@@ -0,0 +1,2 @@\n+1\n+2\n--- a/old\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n",
    after: { "/new": "1\n2\n" },
  },
  {
    name: "a copy with an edit",
    before: { "/a": "1\n2\n" },
    patch:
      "diff --git a/a b/b\nsimilarity index 50%\ncopy from a\ncopy to b\n--- a/a\n+++ b/b\n@@ -1,2 +1,2 @@\n 1\n-2\n+two\n",
    after: { "/a": "1\n2\n", "/b": "1\ntwo\n" },
    text: /\nC a -> b \(\+1 -1\)$/,
  },
  {
    name: "two renames of which one takes the other's place",
    before: { "/a": "1\n", "/b": "2\n" },
    patch:
      "diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n" +
      "diff --git a/b b/c\nsimilarity index 100%\nrename from b\nrename to c\n",
    after: { "/b": "1\n", "/c": "2\n" },
  },
  {
    name: "an octal name",
    before: { "/é": "1\n" },
    patch: 'diff --git "a/\\303\\251" "b/\\303\\251"\n--- "a/\\303\\251"\n+++ "b/\\303\\251"\n@@ -1 +1 @@\n-1\n+2\n',
    after: { "/é": "2\n" },
  },
  {
    name: "lines that look like headers",
    before: { "/a": "-- x\n++ y\nz\n" },
    patch: diff("a", "@@ -1,3 +1,2 @@", "--- x", "+++ y", "-++ y", " z"),
    after: { "/a": "++ y\nz\n" },
  },
  {
    name: "counts that are wrong",
    before: { "/a": LINES, "/b": "1\n" },
    patch: `${diff("a", "@@ -1,9 +1,2 @@", " one", "-two", "+2", " three")}\n${diff("b", "@@ -1,3 +1,3 @@", "-1", "+2")}`,
    after: { "/a": "one\n2\nthree\nfour\nfive\nsix\n", "/b": "2\n" },
  },
  {
    name: "line numbers that are wrong, where the text is unique",
    before: { "/a": LINES },
    patch: diff("a", "@@ -90,2 +90,2 @@", " four", "-five", "+5"),
    after: { "/a": "one\ntwo\nthree\nfour\n5\nsix\n" },
    text: /^Patched 1 file \(\+1 -1\)\nM a \(\+1 -1\)$/,
  },
  {
    name: "the place that the line number says",
    before: { "/a": "x\n1\nx\n2\nx\n" },
    patch: diff("a", "@@ -3 +3 @@", "-x", "+y"),
    after: { "/a": "x\n1\ny\n2\nx\n" },
    text: /^Patched 1 file \(\+1 -1\)\nM a \(\+1 -1\)$/,
  },
  {
    name: "hunks without context",
    before: { "/a": LINES },
    patch: diff("a", "@@ -2,0 +3,1 @@", "+2a", "@@ -4 +4,0 @@", "-four"),
    after: { "/a": "one\ntwo\n2a\nthree\nfive\nsix\n" },
  },
  {
    name: "no numbers at all",
    before: { "/a": LINES },
    patch: diff("a", "@@", " one", "-two", "+2", "@@ ... @@", "-six", "+6").replace("@@ ... @@", "@@"),
    after: { "/a": "one\n2\nthree\nfour\nfive\n6\n" },
  },
];

describe.each([
  ["in the format of Codex", CODEX],
  ["keeps bytes", BYTES],
  ["in the format of git", GIT],
])("apply_patch: %s", (_title, rows) => {
  it.each(rows)("$name", ({ before, patch, after, text }) =>
    withTools(before, async ({ call, fs }) => {
      const output = await call("apply_patch", { patch });
      expect(output).not.toHaveProperty("isError");
      expect(await readAll(fs)).toEqual(after);
      if (typeof text === "string") expect(output.text).toBe(text);
      else if (text) expect(output.text).toMatch(text);
    }),
  );
});

describe("apply_patch: what it says of a doubtful hunk", () => {
  it.each([
    [
      "that fits twice",
      "x\n1\nx\n",
      update("a", "-x", "+y"),
      "y\n1\nx\n",
      "Patched 1 file (+1 -1)\nM a (+1 -1)\nhunk 1 of a fits at lines 1, 3; line 1 was taken.\n@@ -1,3 +1,3 @@\n-x\n+y\n 1\n x",
    ],
    [
      "whose line number fits nowhere, and that fits twice",
      "x\n1\n2\n3\nx\n",
      diff("a", "@@ -4 +4 @@", "-x", "+y"),
      "x\n1\n2\n3\ny\n",
      /hunk 1 of a fits at lines 1, 5; line 5 was taken\./,
    ],
    [
      "with other indentation",
      "\tif\n\t\tx\n",
      update("a", "   if", "-    x", "+\t\ty"),
      "\tif\n\t\ty\n",
      /hunk 1 of a fits at line 1 only without regard to indentation\.\n@@ -1,2 \+1,2 @@\n \tif\n-\t\tx\n\+\t\ty$/,
    ],
    [
      "with other punctuation",
      "say “x”\n",
      update("a", '-say "x"', "+say y"),
      "say y\n",
      /only without regard to indentation and Unicode punctuation\./,
    ],
  ])("%s", (_name, before, patch, after, text) =>
    withTools({ "/a": before }, async ({ call, fs }) => {
      const output = await call("apply_patch", { patch });
      expect(await readAll(fs)).toEqual({ "/a": after });
      if (typeof text === "string") expect(output.text).toBe(text);
      else expect(output.text).toMatch(text);
    }),
  );

  it("that a file was there which another one is moved to", () =>
    withTools({ "/a": "1\n", "/b": "old\n" }, async ({ call, fs }) => {
      const { text } = await call("apply_patch", {
        patch: codex("*** Update File: a", "*** Move to: b", "@@", "-1", "+2"),
      });
      expect(text).toBe("Patched 1 file (+1 -1)\nR a -> b (+1 -1)\nb was there before; all of it was replaced.");
      expect(await fs.readFile("/b")).toBe("2\n");
    }));

  it("that a file was there which is added", () =>
    withTools({ "/a": "1\n" }, async ({ call }) => {
      const { text } = await call("apply_patch", { patch: codex("*** Add File: a", "+2") });
      expect(text).toBe("Patched 1 file (+1 -0)\nM a (+1 -0)\na was there before; all of it was replaced.");
    }));
});

describe("apply_patch: links and modes", () => {
  it("changes the file that a link leads to, and deletes the link alone", () =>
    withTools({ "/a": "1\n" }, async ({ call, fs }) => {
      await fs.symlink("a", "/l");
      await fs.symlink("a", "/m");
      await call("apply_patch", { patch: codex("*** Update File: l", "-1", "+2", "*** Delete File: m") });
      expect(await readAll(fs)).toEqual({ "/a": "2\n", "/l": "-> a" });
    }));

  it("keeps permission bits when a file changes or moves, and sets them by a diff", () =>
    withTools({ "/a": "1\n", "/b": "1\n", "/c": "1\n" }, async ({ call, fs }) => {
      for (const path of ["/a", "/b"]) await fs.chmod(path, 0o755);
      await call("apply_patch", {
        patch: codex("*** Update File: a", "-1", "+2", "*** Update File: b", "*** Move to: d", "-1", "+2"),
      });
      await call("apply_patch", { patch: "diff --git a/c b/c\nold mode 100644\nnew mode 100755\n" });
      expect(await readAll(fs)).toEqual({ "/a*": "2\n", "/c*": "1\n", "/d*": "2\n" });
    }));
});
