import { expect, test } from "vitest";
import { isBinary } from "./binary.ts";

test.each<[boolean, number, number | undefined]>([
  [false, 0, undefined],
  [false, 100, undefined],
  [true, 100, 0],
  [true, 100, 99],
  [true, 9000, 8191],
  [false, 9000, 8192],
])("%s for %i bytes with a NUL at %s", (expected, size, nul) => {
  const bytes = new Uint8Array(size).fill(0x61);
  if (nul !== undefined) bytes[nul] = 0;
  expect(isBinary(bytes)).toBe(expected);
});
