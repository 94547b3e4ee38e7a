import { describe, expect, it } from "vitest";
import type { TestTools } from "../with-tools.ts";
import { withTools } from "../with-tools.ts";

const LARGE = Array.from({ length: 2000 }, (_, n) => `line ${n + 1}`).join("\n");

/** A file that the model read, and that something else changed since. */
async function stale({ call, fs }: TestTools, path: string, change: (text: string) => string): Promise<void> {
  await call("read", { path });
  await fs.writeFile(`/${path}`, change(await fs.readFile(`/${path}`)));
}

const files = { "/a.txt": "one\ntwo\nthree\n", "/crlf.txt": "one\r\ntwo\r\n", "/large.txt": LARGE };
const prefix = (text: string): string => `zero\n${text}`;

describe("edit: a file that has changed since it was read", () => {
  it.each([
    ["text that is there once, to the letter", "a.txt", "two", "zero\none\n2\nthree\n"],
    ["lines with other ends", "crlf.txt", "one\ntwo", "zero\n2\r\n"],
  ])("takes %s, and says so", (_name, path, oldText, after) =>
    withTools(files, async (tools) => {
      await stale(tools, path, prefix);
      const { text } = await tools.call("edit", { path, edits: [{ oldText, newText: "2" }] });
      expect(text.split("\n")[1]).toBe(`${path} had changed since it was read; the edit fits its text as it is now.`);
      expect(await tools.fs.readFile(`/${path}`)).toBe(after);
    }),
  );

  const now = "Its text now:\n1\tzero\n2\tone\n3\ttwo\n4\tthree\nMake the change from this text, or read it again";
  const why = "edit failed: a.txt has changed since it was read, and oldText is not in it exactly once.";
  it.each([
    ["what is not there", [{ oldText: "four", newText: "4" }]],
    ["what is there only with trailing blanks left out", [{ oldText: "two \n", newText: "2\n" }]],
    ["all places of something", [{ oldText: "e", newText: "E", replaceAll: true }]],
    [
      "one of two",
      [
        { oldText: "two", newText: "2" },
        { oldText: "o", newText: "0" },
      ],
    ],
  ])("refuses %s, with the text as it is now, and then takes it", (_name, edits) =>
    withTools(files, async (tools) => {
      await stale(tools, "a.txt", prefix);
      const input = { path: "a.txt", edits };
      const output = await tools.call("edit", input);
      expect(output).toEqual({
        isError: true,
        text: `${why} ${now}`,
        data: { code: "tool-failed" },
      });
      expect(await tools.fs.readFile("/a.txt")).toBe("zero\none\ntwo\nthree\n");
      // It has the text now, so the next call is judged by itself.
      const again = await tools.call("edit", input);
      expect(again.text).not.toContain("has changed since");
    }),
  );

  it("shows the nearest lines of a large one", () =>
    withTools(files, async (tools) => {
      await stale(tools, "large.txt", prefix);
      const input = { path: "large.txt", edits: [{ oldText: "line 700\nline 702", newText: "" }] };
      const texts = [await tools.call("edit", input), await tools.call("edit", input)].map(({ text }) => text);
      const shown =
        /^edit failed: large.txt has changed since .* Its text now:\nThe nearest lines are:\n701\tline 700\n/;
      expect(texts).toEqual([expect.stringMatching(shown), expect.stringMatching(shown)]);
    }));

  it("takes any edit of a file that was never read, or that bash showed", () =>
    withTools(files, async ({ call }) => {
      await call("bash", { command: "cat a.txt" });
      const { text } = await call("edit", { path: "a.txt", edits: [{ oldText: "two \n", newText: "2\n" }] });
      expect(text).toBe("Edited a.txt in 1 place (+1 -1)\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three");
    }));
});

describe("apply_patch: a file that has changed since it was read", () => {
  const patch = (...lines: string[]): object => ({
    patch: ["*** Begin Patch", "*** Update File: a.txt", ...lines, "*** End Patch"].join("\n"),
  });

  it("takes a hunk that fits once, to the letter", () =>
    withTools(files, async (tools) => {
      await stale(tools, "a.txt", prefix);
      const { text } = await tools.call("apply_patch", patch("-two", "+2"));
      expect(text).toBe("Patched 1 file (+1 -1)\nM a.txt (+1 -1)");
    }));

  it.each([
    ["fits twice", (text: string) => text + text],
    ["fits with other indentation", (text: string) => text.replace("two", "  two")],
  ])("refuses one that %s", (_name, change) =>
    withTools(files, async (tools) => {
      await stale(tools, "a.txt", change);
      const there = await tools.fs.readFile("/a.txt");
      const { text } = await tools.call("apply_patch", patch("-two", "+2"));
      expect(text).toMatch(/^apply_patch failed: a\.txt has changed since it was read, .* Its text now:\n1\tone\n/);
      expect(await tools.fs.readFile("/a.txt")).toBe(there);
    }),
  );
});
