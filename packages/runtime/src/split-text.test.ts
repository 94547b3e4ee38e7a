import { expect, test } from "vitest";
import { splitText } from "./split-text.ts";

test.each([
  ["", 3, [""]],
  ["abc", 3, ["abc"]],
  ["abcd", 3, ["abc", "d"]],
  ["ab😀c", 3, ["ab", "😀c"]],
])("%j in pieces of %i", (text, size, pieces) => {
  expect(splitText(text, size)).toEqual(pieces);
});
