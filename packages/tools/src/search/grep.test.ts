import { describe, expect, it } from "vitest";
import { withTools } from "../with-tools.ts";

const files = {
  "/.gitignore": "dist/\n",
  "/a.ts": "import x from 'y';\nconst foo = 1;\n\n// Foo\nfoo(bar);\n",
  "/src/b.ts": "foo();\n",
  "/src/c.md": "foo in text\n",
  "/dist/out.js": "foo secret\n",
  "/.hidden/d.ts": "foo secret\n",
  "/crlf.txt": "win\r\nwindow\r\n",
  "/x.bin": new Uint8Array([102, 111, 111, 0, 10]),
};

describe("grep: what a model reads", () => {
  it.each([
    [
      "lines with their place",
      { pattern: "foo" },
      "a.ts:2: const foo = 1;\na.ts:5: foo(bar);\nsrc/b.ts:1: foo();\nsrc/c.md:1: foo in text",
    ],
    ["in a folder", { pattern: "foo", path: "/workspace/src" }, "src/b.ts:1: foo();\nsrc/c.md:1: foo in text"],
    ["in a file", { pattern: "foo", path: "a.ts" }, "a.ts:2: const foo = 1;\na.ts:5: foo(bar);"],
    ["by glob", { pattern: "foo", glob: "*.md" }, "src/c.md:1: foo in text"],
    ["by a glob as models write a path", { pattern: "foo", glob: "/workspace/src/*.md" }, "src/c.md:1: foo in text"],
    ["by a glob with dots", { pattern: "foo", path: "src", glob: "../src/./*.md" }, "src/c.md:1: foo in text"],
    ["without a path", { pattern: "foo", glob: "!./src/*.ts", type: "md" }, "src/c.md:1: foo in text"],
    ["without a glob", { pattern: "foo", glob: "!*.ts" }, "src/c.md:1: foo in text"],
    [
      "whatever the case",
      { pattern: "FOO", path: "a.ts", ignoreCase: true },
      "a.ts:2: const foo = 1;\na.ts:4: // Foo\na.ts:5: foo(bar);",
    ],
    ["a binary file that is named", { pattern: "foo", path: "x.bin" }, "x.bin: is binary, and matches"],
    ["the end of a line that has a carriage return", { pattern: "win$", path: "crlf.txt" }, "crlf.txt:1: win"],
    ["plain text", { pattern: "foo(", literal: true }, "a.ts:5: foo(bar);\nsrc/b.ts:1: foo();"],
    ["files", { pattern: "foo", mode: "files" }, "a.ts\nsrc/b.ts\nsrc/c.md"],
    ["counts", { pattern: "foo", mode: "count" }, "a.ts: 2\nsrc/b.ts: 1\nsrc/c.md: 1\n[4 matching lines in 3 files]"],
    [
      "context, with a line between groups",
      { pattern: "import|foo\\(", context: 1 },
      "a.ts:1: import x from 'y';\na.ts-2- const foo = 1;\n--\na.ts-4- // Foo\na.ts:5: foo(bar);\n--\nsrc/b.ts:1: foo();",
    ],
    [
      "that there are more",
      { pattern: "foo", limit: 1 },
      "a.ts:2: const foo = 1;\n[1 shown, there are more: offset=1 goes on; or narrow it with path, glob or mode=files]",
    ],
    [
      "that there are more files",
      { pattern: "foo", limit: 2, mode: "files" },
      "a.ts\nsrc/b.ts\n[2 shown, there are more: offset=2 goes on; or narrow it with path, glob]",
    ],
    [
      "the next page",
      { pattern: "foo", offset: 1, limit: 2 },
      "a.ts:5: foo(bar);\nsrc/b.ts:1: foo();\n[2 shown, there are more: offset=3 goes on; or narrow it with path, glob or mode=files]",
    ],
    ["the last page", { pattern: "foo", offset: 3 }, "src/c.md:1: foo in text"],
    ["files behind the first", { pattern: "foo", mode: "files", offset: 1 }, "src/b.ts\nsrc/c.md"],
    ["counts behind the first", { pattern: "foo", mode: "count", offset: 2 }, "src/c.md: 1"],
    ["a page behind the last", { pattern: "foo", offset: 9 }, "[there are only 4; offset=9 is behind the last one]"],
    [
      "the context of its own matches only",
      { pattern: "foo", path: "a.ts", context: 2, offset: 1 },
      "a.ts-3- \na.ts-4- // Foo\na.ts:5: foo(bar);",
    ],
    ["lines before", { pattern: "bar", before: 1 }, "a.ts-4- // Foo\na.ts:5: foo(bar);"],
    ["lines after", { pattern: "import", after: 1 }, "a.ts:1: import x from 'y';\na.ts-2- const foo = 1;"],
    ["a type", { pattern: "foo", type: "md" }, "src/c.md:1: foo in text"],
    ["words", { pattern: "wind?", path: "crlf.txt", word: true }, "crlf.txt:1: win"],
    ["lines together", { pattern: "y'.*1", multiline: true }, "a.ts:1: import x from 'y';\na.ts:2: const foo = 1;"],
    [
      "some of each file",
      { pattern: "foo", maxPerFile: 1, glob: "*.ts" },
      "a.ts:2: const foo = 1;\nsrc/b.ts:1: foo();",
    ],
    [
      "what other agents call it",
      { pattern: "FOO", include: "*.ts", output_mode: "files_with_matches", "-i": true, head_limit: 5 },
      "a.ts\nsrc/b.ts",
    ],
    [
      "ripgrep's names",
      { pattern: "BAR", "-B": 1, "-A": 0, "-i": true, "-F": true },
      "a.ts-4- // Foo\na.ts:5: foo(bar);",
    ],
    ["all there are at the limit exactly", { pattern: "foo", limit: 3, mode: "files" }, "a.ts\nsrc/b.ts\nsrc/c.md"],
  ])("%s", (_name, input, text) =>
    withTools(files, async ({ call }) => {
      const output = await call("grep", input);
      expect(output.text).toBe(text);
      expect(output.isError).toBeUndefined();
    }),
  );

  it("why there is nothing, and what to try", () =>
    withTools(files, async ({ call }) => {
      const { text } = await call("grep", { pattern: "secret" });
      expect(text).toBe(
        "No match in 4 files; 1 binary file not searched, which path=<file> does.\n" +
          '2 that were left out would: .hidden/d.ts (hidden), dist/out.js (ignored by "dist/" in .gitignore). ' +
          "Set all=true to include ignored and hidden ones.",
      );
      const all = await call("grep", { pattern: "secret", all: true });
      expect(all.text).toContain("dist/out.js:1: foo secret");
      expect(all.text).toContain(".hidden/d.ts:1: foo secret");
      expect((await call("grep", { pattern: "nowhere", all: true })).text).toBe(
        "No match in 7 files; 1 binary file not searched, which path=<file> does.",
      );
      expect((await call("grep", { pattern: "nowhere", path: "src" })).text).toBe("No match in 2 files.");
      expect((await call("grep", { pattern: "nowhere" })).text).toContain(
        "\nNor is there one in what is ignored or hidden.",
      );
    }));

  it.each([
    [{ pattern: "import\\|foo" }, /In this syntax \\\| is a bar itself: alternatives are a\|b\.$/],
    [{ pattern: "foo", glob: "*.py" }, /^No match in no file at all.*\n.*\nNo file in scope has such a name/],
    [{ pattern: "foo", path: ".hidden", type: "py" }, /^No match in no file at all\.\nNo file in scope/],
  ])("a hint for %j", (input, text) =>
    withTools(files, async ({ call }) => expect((await call("grep", input)).text).toMatch(text)),
  );

  it("how many there are when it is many that were left out", () =>
    withTools(
      { "/.gitignore": "*.log", ...Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`/${n}.log`, "x"])) },
      async ({ call }) =>
        expect((await call("grep", { pattern: "x" })).text).toContain("100 or more that were left out would: "),
    ));

  it("the match of a long line, and one line between groups of a long file", () =>
    withTools(
      {
        "/long.js": `${"a".repeat(5000)}needle${"b".repeat(5000)}\n`,
        "/rows": `${"x\n".repeat(1500)}y\n${"x\n".repeat(1500)}`,
      },
      async ({ call }) => {
        const { text } = await call("grep", { pattern: "needle" });
        expect(text).toMatch(/^long\.js:1: \[cut\] …a+needleb+… \[cut\]$/);
        expect(text.length).toBeLessThan(600);
        const rows = await call("grep", { pattern: "x", path: "rows", context: 1, limit: 3000 });
        expect(rows.text).not.toContain("--");
      },
    ));

  it("within the caps", () =>
    withTools({ "/long.txt": `${"x".repeat(400)}\n`.repeat(900) }, async ({ call }) => {
      const { text } = await call("grep", { pattern: "x", limit: 900 });
      expect(new TextEncoder().encode(text).byteLength).toBeLessThanOrEqual(50 * 1024);
      const [, shown] = /\n\[(\d+) shown, there are more: offset=\1 goes on/.exec(text) ?? [];
      const next = await call("grep", { pattern: "x", limit: 900, offset: Number(shown) });
      expect(next.text.slice(0, 20)).toContain(`long.txt:${Number(shown) + 1}: `);
    }));
});

describe("grep: what it refuses", () => {
  it.each([
    [
      { pattern: "foo(" },
      /^grep failed: the pattern "foo\(" is not a valid regular expression \(a group is not closed; .*\)\. For plain text set literal=true\.$/,
    ],
    [{ pattern: "a{1000000}" }, /it repeats too much\)\. Write it with smaller numbers, `\*` or `\+`\.$/],
    [{ pattern: "(?<=a)b" }, /is not a valid regular expression .* without lookaround.*`grep -P` with bash\.$/],
    [{ pattern: "(a)\\1" }, /without backreferences/],
    [{ pattern: "a\\nb" }, /Set multiline=true\.$/],
    [{ pattern: "a", glob: "../**" }, /^Not allowed: \.\.\/\*\*: it is outside \/workspace/],
    [{ pattern: "a", glob: "**/../a" }, /^grep failed: "\*\*\/\.\.\/a" is not a valid glob \(`\.\.` stands/],
    [{ pattern: "a", glob: "{a" }, /^grep failed: "\{a" is not a valid glob \(/],
    [
      { pattern: "a", type: "typescrip" },
      /^grep failed: type="typescrip": there is no such type of files; .*typescript/,
    ],
    [
      { pattern: "a", path: "srv/b.ts" },
      /^No such file or directory: srv\/b\.ts\nThe nearest folder that exists is the workspace itself, in it with a similar name: src\.$/,
    ],
    [
      { pattern: "a", path: "src/d.ts" },
      /The nearest folder that exists is src, in it with a similar name: src\/b\.ts\.$/,
    ],
    [{ pattern: "a", path: "src/nothing/like/it" }, /The nearest folder that exists is src\.$/],
    [{ pattern: "a", limit: 1, head_limit: 1 }, /Unrecognized key: "head_limit"/],
    [{ pattern: "a", path: "/tmp" }, /^Not allowed: \/tmp/],
    [{ pattern: "" }, /pattern: /],
    [{ pattern: "a", mode: "lines" }, /mode: .*content/],
    [{ query: "a" }, /pattern: expected string.*Unrecognized key: "query".*Its fields: pattern, path, glob/],
  ])("%j", (input, text) =>
    withTools(files, async ({ call }) => {
      const output = await call("grep", input);
      expect(output.isError).toBe(true);
      expect(output.text).toMatch(text);
    }),
  );

  it("ends on abort", () =>
    withTools(files, async ({ call }) => {
      await expect(call("grep", { pattern: "a" }, AbortSignal.abort(new Error("stop")))).rejects.toThrow("stop");
    }));
});

describe("grep: names with brackets, as frameworks have them", () => {
  const pages = { "/app/[id]/p.tsx": "foo\n", "/app/i/q.tsx": "bar\n" };
  it.each([
    ["app/[id]/*.tsx", "app/i/q.tsx:1: bar"],
    ["app/[idx]/p.tsx", /^No match in no file at all/],
    ["[id]/*.md", /^No match in no file at all/],
    ["app/\\[id\\]/*", "app/[id]/p.tsx:1: foo"],
    [
      "app/[id]/p.*",
      "app/[id]/p.tsx:1: foo\n[nothing fits the brackets as a class of characters, so they are taken as they are written]",
    ],
  ])("%s", (glob, text) =>
    withTools(pages, async ({ call }) => {
      const got = (await call("grep", { pattern: "foo|bar", glob })).text;
      if (typeof text === "string") expect(got).toBe(text);
      else expect(got).toMatch(text);
    }),
  );
});
