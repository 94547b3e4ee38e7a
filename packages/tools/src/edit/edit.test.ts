import { describe, expect, it } from "vitest";
import type { EditPort } from "./edit.ts";
import type { TextEdit } from "./target.ts";
import { withTools } from "../with-tools.ts";

interface Row {
  readonly name: string;
  readonly before: string;
  readonly edits: TextEdit[];
  readonly after: string;
}

const one = (oldText: string, newText: string, replaceAll?: boolean): TextEdit[] => [
  replaceAll === undefined ? { oldText, newText } : { oldText, newText, replaceAll },
];

const ROWS: readonly Row[] = [
  { name: "one line", before: "a\nb\nc\n", edits: one("b", "B"), after: "a\nB\nc\n" },
  { name: "a part of a line", before: "let x = 1;\n", edits: one("x = 1", "y = 2"), after: "let y = 2;\n" },
  { name: "a deletion", before: "a\nb\nc\n", edits: one("b\n", ""), after: "a\nc\n" },
  { name: "the whole file", before: "a", edits: one("a", "b"), after: "b" },
  { name: "$ patterns as they are", before: "x\n", edits: one("x", "$& $$ $` $' $1"), after: "$& $$ $` $' $1\n" },
  { name: "backslashes as they are", before: "x\n", edits: one("x", "\\n\\1"), after: "\\n\\1\n" },
  {
    name: "CRLF with LF written",
    before: "a\r\nb\r\nc\r\n",
    edits: one("a\nb", "a\nx\nb"),
    after: "a\r\nx\r\nb\r\nc\r\n",
  },
  { name: "CRLF, one line made two", before: "a\r\nb\r\n", edits: one("b", "b1\nb2"), after: "a\r\nb1\r\nb2\r\n" },
  { name: "LF with CRLF written", before: "a\nb\n", edits: one("a\r\nb", "a\r\nx\r\nb"), after: "a\nx\nb\n" },
  {
    name: "mixed ends, in the LF part",
    before: "a\r\nb\nc\nd\r\n",
    edits: one("b\nc", "b\nx\nc"),
    after: "a\r\nb\nx\nc\nd\r\n",
  },
  {
    name: "mixed ends, in the CRLF part",
    before: "a\nb\r\nc\r\nd\n",
    edits: one("b\nc", "b\nx\nc"),
    after: "a\nb\r\nx\r\nc\r\nd\n",
  },
  { name: "mixed ends across both", before: "a\r\nb\nc\r\n", edits: one("a\nb\nc", "a\nB\nc"), after: "a\r\nB\nc\r\n" },
  { name: "lone CRs in a file without LF", before: "a\rb\rc", edits: one("a\nb", "a\nx\nb"), after: "a\rx\rb\rc" },
  { name: "a byte order mark kept", before: "\ufeffa\nb\n", edits: one("a\nb", "a\nc"), after: "\ufeffa\nc\n" },
  { name: "no last newline kept", before: "a\nb", edits: one("b", "c"), after: "a\nc" },
  { name: "lines after a last one without an end", before: "a\r\nb", edits: one("b", "b\nc"), after: "a\r\nb\r\nc" },
  {
    name: "tabs kept",
    before: "\tif (x) {\n\t\ty();\n\t}\n",
    edits: one("\t\ty();", "\t\tz();"),
    after: "\tif (x) {\n\t\tz();\n\t}\n",
  },
  {
    name: "trailing blanks of a line left as it was",
    before: "a  \nb\t\nc\n",
    edits: one("a\nb\nc", "a\nb\nC"),
    after: "a  \nb\t\nC\n",
  },
  { name: "trailing blanks of the text given", before: "a\nb\nc\n", edits: one("a \nb  ", "a\nB"), after: "a\nB\nc\n" },
  {
    name: "curly quotes of a line left as it was",
    before: "say “hi”\nx\n",
    edits: one('say "hi"\nx', 'say "hi"\ny'),
    after: "say “hi”\ny\n",
  },
  {
    name: "curly quotes made straight when asked",
    before: "say “hi”\n",
    edits: one("say “hi”", 'say "hi"'),
    after: 'say "hi"\n',
  },
  {
    name: "curly quotes of a line that changes",
    before: "say “hi”\n",
    edits: one('say "hi"', 'say "ho"'),
    after: "say “ho”\n",
  },
  {
    name: "what is around a change, in a line that is as it was",
    before: "“a”\u00a0— b  \r\n\tx – y\r\n",
    edits: one('"a" - b\n\tx - y', '"a" - B\n\tx - z'),
    after: "“a”\u00a0— B  \r\n\tx – z\r\n",
  },
  { name: "dashes and no-break spaces", before: "a\u00a0— b\n", edits: one("a - b", "c"), after: "c\n" },
  {
    name: "an exact match that has a normalised twin",
    before: '“a”\n"a"\n',
    edits: one('"a"', "b"),
    after: "“a”\nb\n",
  },
  {
    name: "an exact match that has a twin with other line ends",
    before: "a\r\nb\r\na\nb\n",
    edits: one("a\nb", "c\nd"),
    after: "a\r\nb\r\nc\nd\n",
  },
  {
    name: "an LF that belongs to a CRLF, taken away whole",
    before: "a\r\nb\r\nc\r\n",
    edits: one("\nb", ""),
    after: "a\r\nc\r\n",
  },
  {
    name: "an LF that belongs to a CRLF, with text put before it",
    before: "a\r\nb\r\n",
    edits: one("\nb", "x\nb"),
    after: "ax\r\nb\r\n",
  },
  {
    name: "trailing blanks before the text given",
    before: "a  \r\nb “c”\r\n",
    edits: one('\nb "c"', "\nd"),
    after: "a  \r\nd\r\n",
  },
  {
    name: "the blanks at the line's end that the text given has",
    before: "a\n  \nfoo “x”\n",
    edits: one('\t\nfoo "x"', "bar"),
    after: "a\nbar\n",
  },
  {
    name: "tabs that the text given has too",
    before: "\ta\n        a\n",
    edits: one("\ta", "\tb"),
    after: "\tb\n        a\n",
  },
  { name: "lone CRs in a file with LF", before: "a\rb\nc\n", edits: one("a\rb", "x\ry"), after: "x\ry\nc\n" },
  { name: "new text that the file has elsewhere", before: "a\nb\n", edits: one("a", "b"), after: "b\nb\n" },
  { name: "all places", before: "x a x\nx\n", edits: one("x", "yy", true), after: "yy a yy\nyy\n" },
  { name: "all places, side by side", before: "aaaa\n", edits: one("aa", "b", true), after: "bb\n" },
  {
    name: "all places in a CRLF file",
    before: "a\r\nb\r\na\r\nb\r\n",
    edits: one("a\nb", "c\nd", true),
    after: "c\r\nd\r\nc\r\nd\r\n",
  },
  {
    name: "several edits, each matched against the original",
    before: "a\nb\nc\n",
    edits: [...one("c", "a"), ...one("a", "b")],
    after: "b\nb\na\n",
  },
  { name: "edits that touch", before: "ab\n", edits: [...one("a", "1"), ...one("b", "2")], after: "12\n" },
  { name: "emoji and other planes", before: "a 😀 b\n", edits: one("😀", "🎉🎉"), after: "a 🎉🎉 b\n" },
];

/** With its byte order mark, which a decoder takes away otherwise. */
async function textOf(fs: EditPort, path: string): Promise<string> {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await fs.readFileBytes(path));
}

describe("edit: bytes after it", () => {
  it.each(ROWS)("$name", ({ before, edits, after }) =>
    withTools({ "/f.txt": before }, async ({ call, fs }) => {
      const output = await call("edit", { path: "f.txt", edits });
      expect(output).not.toHaveProperty("isError");
      expect(await textOf(fs, "/f.txt")).toBe(after);
    }),
  );
});

// The same edit in a file of another shape gives the same result in that shape.
describe("edit: shapes of a file", () => {
  const before = ["function f() {", "\treturn 1;", "}", "", "function g() {", "\treturn 2;", "}", ""];
  const after = ["function f() {", "\treturn 1;", "}", "", "function g(x) {", "\treturn x;", "}", ""];
  const edits = one("function g() {\n\treturn 2;\n}", "function g(x) {\n\treturn x;\n}");
  const filler = Array.from({ length: 100_000 }, (_, n) => `// line ${n} of a very long file, 50 characters`);
  const shapes: readonly (readonly [string, (lines: readonly string[]) => string])[] = [
    ["LF", (lines) => lines.join("\n")],
    ["CRLF", (lines) => lines.join("\r\n")],
    ["a byte order mark", (lines) => `\ufeff${lines.join("\n")}`],
    ["no last newline", (lines) => lines.slice(0, -1).join("\n")],
    ["CR", (lines) => lines.join("\r")],
    [
      "trailing blanks",
      (lines) =>
        lines
          .slice(0, 4)
          .map((line) => `${line} \t`)
          .concat(lines.slice(4))
          .join("\n"),
    ],
    ["5 MB before it", (lines) => [...filler, ...lines].join("\n")],
    ["5 MB after it, CRLF", (lines) => [...lines, ...filler].join("\r\n")],
  ];
  it.each(shapes)("%s", (_name, shape) =>
    withTools({ "/f.ts": shape(before) }, async ({ call, fs }) => {
      const output = await call("edit", { path: "f.ts", edits });
      expect(output).not.toHaveProperty("isError");
      expect((await textOf(fs, "/f.ts")) === shape(after)).toBe(true);
    }),
  );
});

describe("edit: what it answers", () => {
  it("shows what changed, as a diff", () =>
    withTools({ "/f.txt": "a\r\nb\r\nc\r\nd\r\ne\r\n" }, async ({ call }) => {
      expect(await call("edit", { path: "f.txt", edits: one("c", "C") })).toEqual({
        text: "Edited f.txt in 1 place (+1 -1)\n@@ -1,5 +1,5 @@\n a\n b\n-c\n+C\n d\n e",
        data: { path: "f.txt", added: 1, removed: 1 },
      });
    }));

  it("caps a long diff", () =>
    withTools({ "/f.txt": "x\n".repeat(900) }, async ({ call }) => {
      const { text } = await call("edit", { path: "f.txt", edits: one("x", "y", true) });
      expect(text).toMatch(/^Edited f.txt in 900 places/);
      expect(text).toMatch(/\n\[the rest of the diff is left out\]$/);
      expect(text.length).toBeLessThan(9000);
    }));

  it("shows the beginning of one that is too large to be compared", () =>
    withTools({ "/f.txt": "a\n".repeat(10) + "x\n".repeat(300_000) }, async ({ call }) => {
      const { text } = await call("edit", { path: "f.txt", edits: one("x", "y", true) });
      const head = "Edited f.txt in 300000 places (+300000 -300000)\n@@ -8,300003 +8,300003 @@\n a\n a\n a\n-x\n";
      expect(text.slice(0, head.length)).toBe(head);
      expect(text).toMatch(/\n\[the rest of the diff is left out\]$/);
    }));

  it("shows the line numbers of both sides, for changes far from each other", () =>
    withTools({ "/f.txt": Array.from({ length: 60 }, (_, n) => `${n + 1}\n`).join("") }, async ({ call }) => {
      const edits = [...one("50\n", "fifty\n"), ...one("3\n4\n", ""), ...one("30\n", "30\na\nb\n")];
      const { text } = await call("edit", {
        path: "f.txt",
        edits: edits.map((edit) => ({ ...edit, oldText: `\n${edit.oldText}`, newText: `\n${edit.newText}` })),
      });
      expect(text.match(/@@.*@@/g)).toEqual(["@@ -1,7 +1,5 @@", "@@ -28,6 +26,8 @@", "@@ -47,7 +47,7 @@"]);
    }));
});

describe("edit: what it refuses", () => {
  const files = {
    "/f.txt": "alpha\n\tbeta();\ngamma\nalpha\nabab ababab\n",
    "/go.txt": "x := 1\ny := 2\nz := 3",
    "/long.txt": `${"long ".repeat(100)}than\n`,
    "/bytes.txt": new Uint8Array([0x61, 0xe9, 0x0a]),
    "/x.bin": new Uint8Array([97, 0]),
    "/dir/a.txt": "",
    "/empty.txt": "",
  };
  it.each<[string, string, TextEdit[], string | RegExp]>([
    [
      "an empty oldText",
      "f.txt",
      one("", "x"),
      "edit failed: oldText is empty. Give the text to replace; write replaces a whole file",
    ],
    [
      "text that is there twice",
      "f.txt",
      one("alpha", "x"),
      "edit failed: oldText is in f.txt 2 times, at lines 1, 4. Add lines around it until it is unique, or set replaceAll",
    ],
    ["text that overlaps itself", "f.txt", one("abab", "x"), /3 times, at lines 5\. Add/],
    ["normalised text that is there twice", "f.txt", one("alpha \n", "x\n"), /2 times, at lines 1, 4/],
    [
      "other indentation, with the difference",
      "f.txt",
      one("alpha\n    beta();\ngamma", "x"),
      "edit failed: oldText was not found in f.txt.\nThe nearest lines are:\n1\talpha\n2\t\tbeta();\n3\tgamma\n" +
        'Line 2 has "\\tbeta();", oldText has "    beta();".',
    ],
    [
      "a similar line",
      "f.txt",
      one("  betas();", "x"),
      /nearest lines are:\n2\t\tbeta\(\);\nLine 2 has "\\tbeta\(\);"/,
    ],
    [
      "lines between which there is something else",
      "go.txt",
      one("x := 1\ny := 99\nz := 3", "done"),
      "edit failed: oldText was not found in go.txt.\nThe nearest lines are:\n1\tx := 1\n2\ty := 2\n3\tz := 3\n" +
        'Line 2 has "y := 2", oldText has "y := 99".',
    ],
    ["blanks that would be the end of any line", "go.txt", one("  \ny := 2\n ", "w"), /was not found in go.txt/],
    ["an escaped line end", "go.txt", one("x := 1\\ny := 2", "w"), /was not found in go.txt/],
    ["tabs in place of blanks", "go.txt", one("x :=\t1", "w"), /Line 1 has "x := 1", oldText has "x :=\\t1"/],
    [
      "a line end after the last line, which has none",
      "go.txt",
      one("z := 3\n", "w\n"),
      /3\tz := 3\nThe file ends after line 3 without a line end, oldText has one there\.$/,
    ],
    [
      "more lines than there are",
      "go.txt",
      one("y := 2\nz := 3\nend", "w"),
      /\nThe file ends after line 3, oldText goes on with "end"\.$/,
    ],
    [
      "a long line, where it differs",
      "long.txt",
      one(`${"long ".repeat(100)}then`, "w"),
      /\nLine 1 has "…[long ]+than", oldText has "…[long ]+then"\.$/,
    ],
    [
      "half of a character",
      "f.txt",
      one("\ud83d", "x"),
      /^The arguments of edit .*edits\.0\.oldText: has half of a character/,
    ],
    ["half of a character to put", "f.txt", one("gamma", "\ude00"), /edits\.0\.newText: has half of a character/],
    ["text like nothing in it", "f.txt", one("zzzzzz", "x"), /No line of the file is like it\. Read the file/],
    [
      "the same text",
      "f.txt",
      one("gamma", "gamma"),
      "edit failed: f.txt would not change: oldText and newText say the same",
    ],
    [
      "other line ends alone",
      "f.txt",
      one("gamma\nalpha", "gamma\r\nalpha"),
      /Line ends are kept as they are; to change them use bash/,
    ],
    [
      "edits that overlap",
      "f.txt",
      [...one("beta();\ngamma", "x"), ...one("gamma\nalpha", "y")],
      "edit failed: edits[0].oldText and edits[1].oldText overlap in f.txt. Merge them into one edit",
    ],
    [
      "the second of two, and then the first does not happen",
      "f.txt",
      [...one("gamma", "x"), ...one("none", "y")],
      /edits\[1\]\.oldText was not found/,
    ],
    [
      "bytes that are not UTF-8",
      "bytes.txt",
      one("a", "b"),
      /bytes.txt is not valid UTF-8, so an edit would damage it/,
    ],
    ["a binary file", "x.bin", one("a", "b"), "edit failed: x.bin is a binary file. Change it with bash"],
    ["a folder", "dir", one("a", "b"), /^Is a directory: dir\n/],
    ["a missing file", "none.txt", one("a", "b"), /^No such file or directory: none.txt\nThe nearest folder /],
    ["an empty file", "empty.txt", one("a", "b"), /was not found in empty.txt/],
    ["a path outside", "/etc/hosts", one("a", "b"), /^Not allowed: \/etc\/hosts/],
    ["no edits", "f.txt", [], /edits: /],
  ])("%s", (_name, path, edits, text) =>
    withTools(files, async ({ call, commit, fs }) => {
      const before = fs.tree;
      const output = await call("edit", { path, edits });
      expect(output.isError).toBe(true);
      if (typeof text === "string") expect(output.text).toBe(text);
      else expect(output.text).toMatch(text);
      expect(await commit()).toBe(before);
    }),
  );

  it("a file too large to hold", () =>
    withTools({ "/huge.txt": new Uint8Array(10 * 1024 * 1024 + 1).fill(97) }, async ({ call }) => {
      const { text } = await call("edit", { path: "huge.txt", edits: one("a", "b") });
      expect(text).toMatch(/^File too large: huge.txt has 10485761 bytes/);
    }));

  it.each([
    [
      { path: "f.txt", search: "a", replace: "b" },
      /edits: expected array.*Unrecognized keys: "search", "replace".*A call is {"path":"…","edits":\[{"oldText":"…","newText":"…"}\]}/,
    ],
    [{ path: "f.txt", old_string: "a", oldText: "b", newText: "c" }, /Unrecognized key: "old_string"/],
    [{ path: "f.txt", oldText: "a" }, /edits\.0\.newText: expected string, received undefined/],
    [{ path: "f.txt", edits: '[{"oldText":"a"}]' }, /edits: expected array, received string/],
    [{ path: "f.txt", edits: [{ old: "a", newText: "b" }] }, /edits\.0\.oldText: expected string/],
    [{ path: "f.txt", edits: [{ oldText: "a", newText: "b", all: true }] }, /edits\.0: Unrecognized key: "all"/],
  ])("invented arguments %j", (input, text) =>
    withTools(files, async ({ call }) => {
      expect((await call("edit", input)).text).toMatch(text);
    }),
  );

  it("quickly, also for a miss in 5 MB", () =>
    withTools(
      {
        "/big.txt": Array.from({ length: 100_000 }, (_, n) => `line ${n} of some length, to make it large ......`).join(
          "\n",
        ),
      },
      async ({ call }) => {
        const { text } = await call("edit", {
          path: "big.txt",
          edits: one("line 77 of some length, to make it large ......\nline 79", "x"),
        });
        expect(text).toMatch(/nearest lines are:\n78\tline 77/);
      },
    ));

  it("when it is stopped between many edits of a large file", () =>
    withTools({ "/big.txt": `a${"x".repeat(4_000_000)}` }, async ({ call, fs }) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error("stop")), 0);
      const edits = Array.from({ length: 50 }, () => one("a", "b")).flat();
      await expect(call("edit", { path: "big.txt", edits }, controller.signal)).rejects.toThrow("stop");
      expect(fs.changes()).toEqual([]);
    }));
});
