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
    ["counts", { pattern: "foo", mode: "count" }, "a.ts: 2\nsrc/b.ts: 1\nsrc/c.md: 1"],
    [
      "context, with a line between groups",
      { pattern: "import|foo\\(", context: 1 },
      "a.ts:1: import x from 'y';\na.ts-2- const foo = 1;\n--\na.ts-4- // Foo\na.ts:5: foo(bar);\n--\nsrc/b.ts:1: foo();",
    ],
    [
      "that there are more",
      { pattern: "foo", limit: 1 },
      "a.ts:2: const foo = 1;\n[stopped at limit=1, there are more; narrow it with path or glob, or raise limit]",
    ],
    [
      "that there are more files",
      { pattern: "foo", limit: 2, mode: "files" },
      "a.ts\nsrc/b.ts\n[stopped at limit=2, there are more; narrow it with path or glob, or raise limit]",
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
      expect(text).toMatch(/^No match: looked at 4 files, left out \d+ ignored, \d+ hidden, 1 binary\. Set all=true/);
      const all = await call("grep", { pattern: "secret", all: true });
      expect(all.text).toContain("dist/out.js:1: foo secret");
      expect(all.text).toContain(".hidden/d.ts:1: foo secret");
      expect((await call("grep", { pattern: "nowhere", all: true })).text).not.toContain("Set all");
    }));

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
      expect(text).toMatch(/\[there are more matches than fit; narrow it with path, glob or mode=files\]$/);
    }));
});

describe("grep: what it refuses", () => {
  it.each([
    [
      { pattern: "foo(" },
      /^grep failed: the pattern "foo\(" is not a valid regular expression \(.*\)\. The syntax is ripgrep's.*literal=true\.$/,
    ],
    [{ pattern: "(?<=a)b" }, /is not a valid regular expression/],
    [{ pattern: "a", path: "none" }, /^No such file or directory: none\n/],
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
