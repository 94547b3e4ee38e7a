import { expect, it } from "vitest";
import { fromLatin1, latin1, shownText } from "./encoding.ts";

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

it.each<[string, readonly number[], string]>([
  ["UTF-8", [0x68, 0xc3, 0xa9, 0xf0, 0x9f, 0x98, 0x80], "hé😀"],
  ["bytes that are none", [0xff, 0xfe, 0x80], "\u00ff\u00fe\u0080"],
  ["both", [0xc3, 0xa9, 0xff, 0xe2, 0x9c, 0x93], "éÿ✓"],
  ["a character that is cut off", [0xc3, 0xa9, 0xe2, 0x9c], "é\u00e2\u009c"],
  ["forms that are too long, and surrogates", [0xc0, 0x80, 0xed, 0xa0, 0x80], "\u00c0\u0080\u00ed\u00a0\u0080"],
])("shows %s", (_name, numbers, text) => {
  expect(shownText(Uint8Array.from(numbers))).toBe(text);
});
