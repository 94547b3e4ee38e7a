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
      await call("read", { path: "a.txt" });
      expect((await call("write", input)).text).toBe(text);
      const path = input.path.replace("/workspace/", "");
      expect(await fs.readFile(`/${path}`)).toBe(input.content);
    }),
  );

  it.each([
    [{ path: "dir", content: "" }, /^Is a directory: dir\n/],
    [{ path: "dir/", content: "" }, /^Is a directory: dir\n/],
    [{ path: "new/", content: "" }, /^Invalid path or argument for new: it names a folder, and folders come with the/],
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

describe("write: over a file", () => {
  const write = { path: "a.txt", content: "new" };
  const unread = "Not read yet, so not overwritten: a.txt\nRead it first, or change a part of it with edit.";
  const changed = "Changed since it was read: a.txt\nRead it again, then repeat the change.";
  it.each<[string, readonly (readonly [string, object])[], string]>([
    ["that was not read", [], unread],
    ["of which only the name was seen", [["ls", {}]], unread],
    ["that was edited without being read", [["edit", edit("one", "1")]], unread],
    ["that was read in part", [["read", { path: "a.txt", limit: 1 }]], done(8)],
    ["that was read by its absolute path", [["read", { path: "/workspace/a.txt" }]], done(8)],
    [
      "that was read and edited since",
      [
        ["read", { path: "a.txt" }],
        ["edit", edit("one", "1")],
      ],
      done(6),
    ],
    [
      "that was written before",
      [
        ["read", { path: "a.txt" }],
        ["write", { path: "a.txt", content: "x" }],
      ],
      done(1),
    ],
    [
      "that was patched since",
      [
        ["read", { path: "a.txt" }],
        ["apply_patch", patch("-one", "+1")],
      ],
      done(6),
    ],
    [
      "that was moved here",
      [
        ["read", { path: "dir/b.txt" }],
        ["apply_patch", move("dir/b.txt", "a.txt")],
      ],
      done(2),
    ],
    [
      "that bash changed since",
      [
        ["read", { path: "a.txt" }],
        ["bash", { command: "echo >> a.txt" }],
      ],
      changed,
    ],
    [
      "that bash changed, and that was edited then",
      [
        ["read", { path: "a.txt" }],
        ["bash", { command: "echo >> a.txt" }],
        ["edit", edit("one", "1")],
      ],
      changed,
    ],
    ["that bash emptied", [["bash", { command: "> a.txt" }]], done(0)],
  ])("%s", (_name, before, text) =>
    withTools(files, async ({ call, fs }) => {
      for (const [name, input] of before) expect(await call(name, input)).not.toHaveProperty("isError");
      const there = await fs.readFile("/a.txt");
      expect((await call("write", write)).text).toBe(text);
      expect(await fs.readFile("/a.txt")).toBe(text.startsWith("Overwrote") ? "new" : there);
    }),
  );

  function done(before: number): string {
    return `Overwrote a.txt: 1 line, 3 bytes, before ${before} bytes`;
  }

  function edit(oldText: string, newText: string): object {
    return { path: "a.txt", edits: [{ oldText, newText }] };
  }

  function patch(...lines: string[]): object {
    return { patch: ["*** Begin Patch", "*** Update File: a.txt", ...lines, "*** End Patch"].join("\n") };
  }

  function move(from: string, to: string): object {
    return { patch: `*** Begin Patch\n*** Update File: ${from}\n*** Move to: ${to}\n*** End Patch` };
  }
});
