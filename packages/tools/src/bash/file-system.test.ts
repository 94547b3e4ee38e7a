import { describe, expect, it } from "vitest";
import { BashFileSystem } from "./file-system.ts";
import { SystemWords } from "./system-words.ts";
import { relativeTarget } from "./relative-target.ts";
import { withTools } from "../with-tools.ts";

const files = { "/a.txt": "hi\n", "/bytes.bin": new Uint8Array([0, 200, 255]) };

describe("the tree as a file system of just-bash", () => {
  it("refuses everything once it is closed", () =>
    withTools(files, async ({ fs }) => {
      const tree = new BashFileSystem(fs, new SystemWords());
      await tree.close();
      const calls = [
        tree.writeFile("/b.txt", "x"),
        tree.appendFile("/a.txt", "x"),
        tree.rm("/a.txt"),
        tree.mv("/a.txt", "/c.txt"),
        tree.mkdir("/d"),
        tree.symlink("a.txt", "/l"),
        tree.readFile("/a.txt"),
      ];
      for (const call of calls) await expect(call).rejects.toThrow("stopped");
      expect(fs.changes()).toEqual([]);
    }));

  it.each([
    ["binary", "\u0000\u00c8\u00ff"],
    ["latin1", "\u0000\u00c8\u00ff"],
    ["base64", "AMj/"],
    ["hex", "00c8ff"],
  ] as const)("reads and writes %s", (encoding, text) =>
    withTools(files, async ({ fs }) => {
      const tree = new BashFileSystem(fs, new SystemWords());
      expect(await tree.readFile("/bytes.bin", encoding)).toBe(text);
      await tree.writeFile("/copy.bin", text, { encoding });
      expect([...(await fs.readFileBytes("/copy.bin"))]).toEqual([0, 200, 255]);
    }),
  );

  it("words errors as Node does, and says what it does not have", () =>
    withTools(files, async ({ fs }) => {
      const tree = new BashFileSystem(fs, new SystemWords());
      await expect(tree.stat("/none")).rejects.toMatchObject({
        code: "ENOENT",
        message: expect.stringMatching(/^ENOENT: /),
      });
      await expect(tree.link()).rejects.toThrow(/hard links \(use ln -s\)/);
      expect(tree.troubles).toEqual(["the workspace does not support hard links (use ln -s)."]);
    }));
});

describe("relativeTarget", () => {
  it.each([
    ["a.txt", "/l", "a.txt"],
    ["/workspace/a.txt", "/l", "a.txt"],
    ["/workspace/a/b.txt", "/a/c/l", "../b.txt"],
    ["/workspace/a.txt", "/x/y/l", "../../a.txt"],
    ["/workspace", "/l", "."],
  ])("%s at %s is %s", (target, link, stored) => {
    expect(relativeTarget(target, link)).toBe(stored);
  });

  it("refuses one outside", () => {
    expect(() => relativeTarget("/tmp/x", "/l")).toThrow(expect.objectContaining({ code: "EACCES" }));
  });
});
