import { expect, test } from "vitest";
import { markedText } from "./marked-text.ts";

test.each([
  ["plain <b>text</b>", [["plain", "plain <b>text</b>"]]],
  [
    "use `a.ts` **now**.",
    [
      ["plain", "use "],
      ["code", "a.ts"],
      ["plain", " "],
      ["bold", "now"],
      ["plain", "."],
    ],
  ],
  [
    "so:\n```ts\nlet a = `x`;\n```\nend",
    [
      ["plain", "so:\n"],
      ["block", "let a = `x`;\n"],
      ["plain", "end"],
    ],
  ],
  [
    "```\nnever closed `x`",
    [
      ["plain", "```\nnever closed "],
      ["code", "x"],
    ],
  ],
  [
    "# A title\nx # y",
    [
      ["heading", "A title"],
      ["plain", "\nx # y"],
    ],
  ],
  ["2 ** 3 and a ` alone", [["plain", "2 ** 3 and a ` alone"]]],
  ["", []],
])("splits %j", (text, expected) => {
  expect(markedText(text).map(({ kind, text: piece }) => [kind, piece])).toEqual(expected);
});
