import { expect, test } from "vitest";
import { jsonArrays } from "./json-arrays.ts";

test.each([
  [[], 10, []],
  [["1", "2"], 10, ["[1,2]"]],
  [["111", "222", "333"], 7, ["[111,222]", "[333]"]],
  [["1", "22222222222", "3"], 5, ["[1]", "[22222222222]", "[3]"]],
])("%j in arrays of %i", (texts, size, arrays) => {
  expect([...jsonArrays(texts, size)]).toEqual(arrays);
});
