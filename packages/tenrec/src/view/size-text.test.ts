import { expect, test } from "vitest";
import { sizeText } from "./size-text.ts";

test.each([
  [1, "1 byte"],
  [999, "999 bytes"],
  [12_345, "12 kB"],
  [3_440_000, "3.4 MB"],
  [240_000_000, "240 MB"],
])("%d", (bytes, expected) => expect(sizeText(bytes)).toBe(expected));
