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
};

describe("glob", () => {
  it.each([
    ["a name at any depth", { pattern: "*.ts" }, "a.ts\nsrc/b.ts\nsrc/deep/c.ts"],
    ["a path", { pattern: "src/**/*.ts" }, "src/b.ts\nsrc/deep/c.ts"],
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
        /^No path matches: looked at \d+ files?, left out \d+ ignored, \d+ hidden\. Set all=true/,
      );
    }));

  it("cuts at 100 paths, in order", () =>
    withTools(
      Object.fromEntries(Array.from({ length: 130 }, (_, n) => [`/many/${String(n).padStart(3, "0")}`, ""])),
      async ({ call }) => {
        const lines = (await call("glob", { pattern: "many/*" })).text.split("\n");
        expect(lines).toHaveLength(101);
        expect(lines.slice(0, 100)).toEqual(lines.slice(0, 100).toSorted());
        expect(lines.at(-1)).toBe("[the first 100 paths, there are more; narrow the pattern or set path]");
      },
    ));

  it.each([
    [{ pattern: "*", path: "none" }, /^No such file or directory: none\n/],
    [{ pattern: "*", path: "../x" }, /^Not allowed: \.\.\/x/],
    [{ glob: "*" }, /pattern: expected string/],
  ])("refuses %j", (input, text) =>
    withTools(files, async ({ call }) => {
      const output = await call("glob", input);
      expect(output.isError).toBe(true);
      expect(output.text).toMatch(text);
    }),
  );
});
