import { expect, test } from "vitest";
import { median, summarize } from "./statistics.ts";

test.each([
  { values: [3], expected: 3 },
  { values: [1, 2], expected: 1.5 },
  { values: [9, 1, 5], expected: 5 },
  { values: [10, 2, 1, 100], expected: 6 },
])("the median of $values is $expected", ({ values, expected }) => {
  const before = [...values];
  expect(median(values)).toBe(expected);
  expect(values).toEqual(before);
});

test("nothing has no median", () => {
  expect(() => median([])).toThrow("nothing was measured");
});

test("a summary has four significant digits", () => {
  expect(summarize([12.34567, 0.001234567, 123_456])).toEqual({ median: 12.35, min: 0.001235, max: 123_500, runs: 3 });
});
