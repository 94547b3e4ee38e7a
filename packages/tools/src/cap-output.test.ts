import { describe, expect, it } from "vitest";
import { byteLength, capOutput, countFitting, cutLine, cutText } from "./cap-output.ts";

const outputs = () => {
  const saved: string[] = [];
  return { saved, save: (text: string) => `/output/${saved.push(text)}`, read: () => undefined };
};
const numbered = (count: number): string => Array.from({ length: count }, (_, n) => `line ${n + 1}`).join("\n");

describe("capOutput", () => {
  it.each([
    ["short text", "a\nb"],
    ["exactly the lines there may be", numbered(20)],
    ["a last line end", `${numbered(20)}\n`],
  ])("leaves %s", (_name, text) => {
    const to = outputs();
    expect(capOutput(text, to, { lines: 20, bytes: 10_000 })).toBe(text);
    expect(to.saved).toEqual([]);
  });

  it("keeps the beginning and more of the end, and the offset is that of the first line left out", () => {
    const to = outputs();
    const capped = capOutput(numbered(1000), to, { lines: 101, bytes: 10_000 }).split("\n");
    expect(capped).toHaveLength(101);
    expect(capped[19]).toBe("line 20");
    expect(capped[20]).toBe('[900 of 1000 lines left out; read path="/output/1" offset=21 shows them]');
    expect(capped[21]).toBe("line 921");
    expect(capped.at(-1)).toBe("line 1000");
    expect(to.saved).toEqual([numbered(1000)]);
  });

  it.each([
    ["many lines", "é".repeat(50), 400],
    ["one long line", "é".repeat(100_000), 1],
    ["a few long lines", "x".repeat(9000), 5],
  ])("stays within its bytes with %s", (_name, line, count) => {
    const text = Array.from({ length: count }, () => line).join("\n");
    expect(byteLength(capOutput(text, outputs(), { lines: 2000, bytes: 10_000 }))).toBeLessThanOrEqual(10_000);
  });
});

describe("pieces of text", () => {
  it("counts what fits, from either end", () => {
    const lines = ["aaaa", "bb", "c"];
    expect(countFitting(lines, { lines: 9, bytes: 8 })).toBe(2);
    expect(countFitting(lines, { lines: 9, bytes: 5 }, "end")).toBe(2);
    expect(countFitting(lines, { lines: 1, bytes: 99 })).toBe(1);
  });

  it("never splits a character", () => {
    expect(cutText("a😀b", 2)).toBe("a");
    expect(cutText("a😀b", 3)).toBe("a😀");
    expect(cutLine("😀".repeat(100), 41)).toBe(`${"😀".repeat(5)}… [190 more characters]`);
  });
});
