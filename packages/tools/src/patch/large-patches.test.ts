import { describe, expect, it } from "vitest";
import { withTools } from "../with-tools.ts";
import { diff, update } from "./with-patches.ts";

describe("apply_patch: much at once", () => {
  it("thousands of hunks, with other blanks than the file has", () => {
    const lines = Array.from({ length: 60_000 }, (_, n) => `  line ${n}`);
    const hunks = Array.from({ length: 3000 }, (_, n) => [
      "@@",
      ` line ${n * 20} `,
      `-line ${n * 20 + 1}`,
      "+  changed",
    ]);
    return withTools({ "/a": lines.join("\n") }, async ({ call, fs }) => {
      const { text } = await call("apply_patch", { patch: update("a", ...hunks.flat()) });
      expect(text).toMatch(/^Patched 1 file \(\+3000 -3000\)\n[^]*\n\[the rest is left out\]$/);
      expect(text.length).toBeLessThanOrEqual(50 * 1024);
      expect((await fs.readFile("/a")).match(/changed/g)).toHaveLength(3000);
    });
  });

  it("hunks of lines that are everywhere, each at its line", () => {
    const lines = Array.from({ length: 30_000 }, () => "}");
    const hunks = Array.from({ length: 1000 }, (_, n) => [`@@ -${n * 30 + 1} +${n * 30 + 1} @@`, "-}", "+{"]);
    return withTools({ "/a": `${lines.join("\n")}\n` }, async ({ call, fs }) => {
      expect((await call("apply_patch", { patch: diff("a", ...hunks.flat()) })).text).toBe(
        "Patched 1 file (+1000 -1000)\nM a (+1000 -1000)",
      );
      const wanted = lines.map((line, at) => (at % 30 === 0 ? "{" : line));
      expect((await fs.readFile("/a")) === `${wanted.join("\n")}\n`).toBe(true);
    });
  });

  // Each of these takes minutes when all places are looked through, and nothing else runs meanwhile.
  const same = "aaab\n".repeat(300_000);

  it("thousands of hunks that fit everywhere", () =>
    withTools({ "/a": same }, async ({ call, fs }) => {
      const hunks = Array.from({ length: 20_000 }, () => "@@\n aaab\n-aaab\n+c");
      const { text } = await call("apply_patch", { patch: update("a", hunks.join("\n")) });
      expect(text).toMatch(/^Patched 1 file \(\+20000 -20000\)\n/);
      expect((await fs.readFile("/a")).startsWith("aaab\nc\naaab\nc\n")).toBe(true);
    }));

  it("refuses a hunk that nearly fits everywhere", () =>
    withTools({ "/a": same }, async ({ call, commit }) => {
      const before = await commit();
      const lines = Array.from({ length: 100_000 }, () => " aaab");
      const patch = update("a", "@@", lines.join("\n"), "-zzz", "+c");
      const output = await call("apply_patch", { patch });
      expect(output.isError).toBe(true);
      expect(output.text).toMatch(/lines that are in the file too often .* Nothing was changed$/s);
      expect(await commit()).toBe(before);
    }));
});
