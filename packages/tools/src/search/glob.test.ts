import { describe, expect, it } from "vitest";
import { withTools } from "../with-tools.ts";

const files = {
  "/.gitignore": "dist/\n",
  "/a.ts": "",
  "/src/b.ts": "",
  "/src/deep/c.ts": "",
  "/src/d.md": "",
  "/dist/e.ts": "",
  "/.config/f.ts": "",
  "/[id]/g.md": "",
};

describe("glob", () => {
  it.each([
    ["a name at any depth", { pattern: "*.ts" }, "a.ts\nsrc/b.ts\nsrc/deep/c.ts"],
    ["a path", { pattern: "src/**/*.ts" }, "src/b.ts\nsrc/deep/c.ts"],
    ["a path as models write it", { pattern: "/workspace/src/*.ts" }, "src/b.ts"],
    ["of all of the workspace, whatever the folder", { pattern: "/workspace/src/*.ts", path: "src/deep" }, "src/b.ts"],
    ["only there", { pattern: "/workspace/*.ts" }, "a.ts"],
    ["only here", { pattern: "./*.ts" }, "a.ts"],
    ["the folder above", { pattern: "../*.ts", path: "src/deep" }, "src/b.ts"],
    [
      "all above",
      { pattern: "../**", path: "src" },
      "[id]/\n[id]/g.md\na.ts\nsrc/\nsrc/b.ts\nsrc/d.md\nsrc/deep/\nsrc/deep/c.ts",
    ],
    ["above a folder with brackets", { pattern: "../src/*.md", path: "[id]" }, "src/d.md"],
    [
      "a name with brackets, as frameworks have them",
      { pattern: "[id]/*.md" },
      "[id]/g.md\n[nothing fits the brackets as a class of characters, so they are taken as they are written]",
    ],
    ["brackets that are a class", { pattern: "[a-c].ts" }, "a.ts\nsrc/b.ts\nsrc/deep/c.ts"],
    [
      "brackets that nothing has",
      { pattern: "[id]/*.py" },
      "No path matches in 5 files.\nNor is there one in what is ignored or hidden.",
    ],
    ["beside a folder", { pattern: "src/deep/../*.md" }, "src/d.md"],
    ["with slashes and dots too many", { pattern: "./src//./b.ts" }, "src/b.ts"],
    ["a folder itself", { pattern: ".", path: "src/deep" }, "src/deep/c.ts"],
    ["folders", { pattern: "./src/*/" }, "src/deep/"],
    [
      "some",
      { pattern: "*.ts", limit: 1, offset: 1 },
      "src/b.ts\n[1 paths shown, there are more: offset=2 goes on; or narrow pattern or path]",
    ],
    ["below a folder", { pattern: "*.md", path: "src" }, "src/d.md"],
    [
      "ignored and hidden ones when asked",
      { pattern: "*.ts", all: true },
      ".config/f.ts\na.ts\ndist/e.ts\nsrc/b.ts\nsrc/deep/c.ts",
    ],
  ])("%s", (_name, input, text) =>
    withTools(files, async ({ call }) => {
      expect((await call("glob", input)).text).toBe(text);
    }),
  );

  it("says why there is nothing", () =>
    withTools(files, async ({ call }) => {
      expect((await call("glob", { pattern: "e.ts" })).text).toMatch(
        /^No path matches in 5 files\.\n1 that was left out would: dist\/e\.ts \(ignored by "dist\/" in \.gitignore\)\. Set all=true/,
      );
    }));

  it("cuts at 100 paths, in order", () =>
    withTools(
      Object.fromEntries(Array.from({ length: 130 }, (_, n) => [`/many/${String(n).padStart(3, "0")}`, ""])),
      async ({ call }) => {
        const lines = (await call("glob", { pattern: "many/*" })).text.split("\n");
        expect(lines).toHaveLength(101);
        expect(lines.slice(0, 100)).toEqual(lines.slice(0, 100).toSorted());
        expect(lines.at(-1)).toBe("[100 paths shown, there are more: offset=100 goes on; or narrow pattern or path]");
        const rest = (await call("glob", { pattern: "many/*", offset: 100 })).text.split("\n");
        expect([...lines.slice(0, 100), ...rest]).toHaveLength(130);
        expect(rest[0]).toBe("many/100");
        expect((await call("glob", { pattern: "many/*", offset: 200 })).text).toBe(
          "[there are only 130; offset=200 is behind the last one]",
        );
      },
    ));

  it.each([
    [
      { pattern: "*", path: "sr/x" },
      /^No such file or directory: sr\/x\nThe nearest folder that exists is the workspace itself, .*: src\.$/,
    ],
    [{ pattern: "{a" }, /^glob failed: "\{a" is not a valid glob \(`\{` is not closed\)/],
    [{ pattern: "*", path: "../x" }, /^Not allowed: \.\.\/x/],
    [{ pattern: "../**" }, /^Not allowed: \.\.\/\*\*: it is outside \/workspace\nUse a path inside/],
    [{ pattern: "src/../../*", path: "." }, /^Not allowed: src\/\.\.\/\.\.\/\*: it is outside/],
    [{ pattern: "/workspace/../etc/*" }, /^Not allowed: \/workspace\/\.\.\/etc\/\*: it is outside/],
    [
      { pattern: "*/../*.ts" },
      /^glob failed: "\*\/\.\.\/\*\.ts" is not a valid glob \(`\.\.` stands behind a wildcard\)/,
    ],
    [{ glob: "*" }, /pattern: expected string/],
  ])("refuses %j", (input, text) =>
    withTools(files, async ({ call }) => {
      const output = await call("glob", input);
      expect(output.isError).toBe(true);
      expect(output.text).toMatch(text);
    }),
  );
});
