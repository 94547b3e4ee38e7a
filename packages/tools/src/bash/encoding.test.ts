import { expect, it } from "vitest";
import { fromLatin1, latin1 } from "./encoding.ts";

it.each<[string, readonly number[]]>([
  ["nothing", []],
  ["ASCII", [0, 10, 65, 127]],
  ["what Windows has other characters for", [65, 0x80, 0x9f, 0xa0, 255]],
  ["what is not UTF-8, a byte for each character", [0xff, 0xfe, 0xc3]],
  ["UTF-8, with a mark in front", [0xef, 0xbb, 0xbf, 0xc3, 0xa9]],
  ["more than one call takes", Array.from({ length: 70_000 }, (_, at) => at % 256)],
])("has a character for each byte: %s", (_name, numbers) => {
  const bytes = Uint8Array.from(numbers);
  const text = latin1(bytes);
  expect(Array.from(text, (char) => char.charCodeAt(0))).toEqual(numbers);
  expect(fromLatin1(text)).toEqual(bytes);
});
