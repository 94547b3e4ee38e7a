import { describe, expect, it } from "vitest";
import { withTools } from "../with-tools.ts";

const files = { "/a.txt": "one\ntwo\n", "/dir/b.txt": "b\n" };

describe("write", () => {
  it.each([
    ["a new file with its folders", { path: "x/y/z.txt", content: "a\nb\n" }, "Created x/y/z.txt: 2 lines, 4 bytes"],
    [
      "an existing file",
      { path: "/workspace/a.txt", content: "é" },
      "Overwrote a.txt: 1 line, 2 bytes, before 8 bytes",
    ],
    ["an empty file", { path: "e", content: "" }, "Created e: 0 lines, 0 bytes"],
    ["text as it is", { path: "d", content: "$& \r\n \ufeff" }, "Created d: 2 lines, 9 bytes"],
  ])("%s", (_name, input, text) =>
    withTools(files, async ({ call, fs }) => {
      expect((await call("write", input)).text).toBe(text);
      const path = input.path.replace("/workspace/", "");
      expect(await fs.readFile(`/${path}`)).toBe(input.content);
    }),
  );

  it.each([
    [{ path: "dir", content: "" }, /^Is a directory: dir\n/],
    [{ path: "new/", content: "" }, /^Is a directory: new\n/],
    [{ path: ".", content: "" }, /^Is a directory: \.\n/],
    [{ path: "a.txt/b", content: "" }, /^Not a directory: a.txt/],
    [{ path: "/tmp/x", content: "" }, /^Not allowed: \/tmp\/x: it is outside \/workspace\n/],
    [{ path: "a/../../x", content: "" }, /^Not allowed: a\/\.\.\/\.\.\/x: it is outside/],
    [{ path: "~/x", content: "" }, /^Not allowed: ~\/x: it is outside/],
    [{ path: ".git/config", content: "" }, /^Not allowed: \.git/],
    [{ path: "a.txt" }, /content: expected string/],
    [{ path: "c.txt", content: "a\ud800" }, /content: has half of a character/],
  ])("refuses %j and changes nothing", (input, text) =>
    withTools(files, async ({ call, commit, fs }) => {
      const before = fs.tree;
      const output = await call("write", input);
      expect(output.isError).toBe(true);
      expect(output.text).toMatch(text);
      expect(await commit()).toBe(before);
    }),
  );
});
