import { describe, expect, it } from "vitest";
import { withTools } from "../with-tools.ts";

/** What a file of this content has wrong, as lines of the answer; nothing when it is right. */
async function faultsOf(path: string, content: string): Promise<string[]> {
  return withTools({}, async ({ call }) => {
    const { text, isError } = await call("write", { path, content });
    expect(isError).toBe(undefined);
    const [, ...notes] = text.split("\n");
    return notes.map((note) => note.trim());
  });
}

describe("the syntax of a changed file", () => {
  it.each([
    ["a.ts", "const a: = 3;\n", "1:10 Unexpected token"],
    ["a.ts", "export function f( {\n", "2:1 Unexpected token"],
    ["a.ts", "const t = `abc\n", "1:12 Unterminated template."],
    ["a.ts", "let a = 1;\nlet a = 2;\n", "2:5 Identifier 'a' has already been declared."],
    [
      "a.tsx",
      "const a = <div></b></div>;\n",
      "1:20 Adjacent JSX elements must be wrapped in an enclosing tag. Did you want a JSX fragment <>...</>?",
    ],
    ["a.jsx", "const a = <div>;\n", "1:16 Unterminated JSX contents."],
    ["a.js", "if (x {\n}\n", '1:7 Unexpected token, expected ")"'],
    ["d/a.mjs", "import a from;\n", "1:14 Unexpected token"],
    ["a.json", '{ "a": 1, }\n', "1:11 there is a comma before this"],
    ["a.json", "{\n  'a': 1\n}", "2:3 a property name must be in double quotes"],
    ["a.json", "{\n  a: 1\n}", "2:3 a property name must be in double quotes"],
    ["a.json", '{ "a": 1 "b": 2 }', '1:10 Unexpected token, expected ","'],
    ["a.json", '{ "a": 1 // one\n}', "1:10 JSON has no comments"],
    ["a.json", "[1, 0x10]", "1:5 this is no JSON value"],
    ["a.json", '{ "a": undefined }', "1:8 this is no JSON value"],
    ["tsconfig.json", '{ "a": [1,, 2] }', "1:8 an element is missing"],
  ])("of %s with %j", async (path, content, fault) => {
    expect(await faultsOf(path, content)).toEqual([`Syntax errors in ${path}; correct them:`, fault]);
  });

  it.each([
    ["a.ts", "export const f = <T,>(x: T): x is T => x satisfies T;\nenum E { A }\nnamespace N {}\nreturn;\n"],
    ["a.ts", "const x = <string>y; @dec class A { constructor(private readonly a: string) {} accessor b = 1; }"],
    ["a.d.ts", "declare function f(): void;\nexport const a: number;\n"],
    ["a.cts", 'import a = require("a");\nexport = a;\n'],
    ["a.tsx", "export const A = <T,>(p: T) => <><B {...p} /></>;\n"],
    ["a.js", "#!/usr/bin/env node\nvar a = 010; with (a) {}\nmodule.exports = await_;\n"],
    ["a.js", "// @flow\nconst a: ?string = null;\n"],
    ["a.js", "const a = <div>{b}</div>; using x = y();"],
    ["a.js", 'import x from "./x.json" with { type: "json" }; await x; export { none };'],
    ["a.json", '\ufeff{ "a": [-1.5e3, "\\u00e9", true, null, {}] }'],
    ["a.json", ""],
    ["tsconfig.json", '{\n  // one\n  "a": [1, 2,],\n}'],
    [".vscode/settings.json", "{ /* one */ }"],
    ["deep.json", "[".repeat(100_000)],
    ["deep.ts", `${"(".repeat(100_000)}1`],
    ["a.txt", "const a = ;"],
    ["a.css", "a {"],
    ["node_modules/a/a.js", "const a = ;"],
    ["a.min.js", "const a = ;"],
    ["large.js", `const a = ;${" ".repeat(256 * 1024)}`],
  ])("of %s with %j is right, or not looked at", async (path, content) => {
    expect(await faultsOf(path, content)).toEqual([]);
  });

  it("is told of the first three faults", async () => {
    const content = Array.from({ length: 5 }, (_, n) => `let a${n}, a${n};\n`).join("");
    const faults = await faultsOf("a.ts", content);
    expect(faults).toHaveLength(5);
    expect(faults.at(-1)).toBe("and 2 more");
  });

  it.each<[string, object]>([
    ["edit", { path: "a.ts", edits: [{ oldText: "1;", newText: ";" }] }],
    ["apply_patch", { patch: "--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-const a = 1;\n+const a = ;\n" }],
    ["bash", { command: "sed -i 's/1;/;/' a.ts; rm b.ts; echo '{' > c.json" }],
  ])("is told of by %s, of all files that it changed", (name, input) =>
    withTools({ "/a.ts": "const a = 1;\n", "/b.ts": "{", "/other.ts": "{" }, async ({ call }) => {
      const { text, isError } = await call(name, input);
      expect(isError).toBe(undefined);
      expect(text).toMatch(/\nSyntax errors in a\.ts; correct them:\n {2}1:11 Unexpected token/);
      expect(text.includes("Syntax errors in c.json; correct them:\n  2:1 Unexpected token")).toBe(name === "bash");
      expect(text).not.toContain("b.ts;");
      expect(text).not.toContain("other.ts");
    }),
  );

  it("is not looked at when nothing changed", () =>
    withTools({ "/a.ts": "const a = ;\n" }, async ({ call }) => {
      const { text } = await call("edit", { path: "a.ts", edits: [{ oldText: "none", newText: "" }] });
      expect(text).not.toContain("Syntax");
    }));
});
