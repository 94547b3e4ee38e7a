import { expect, test } from "vitest";
import type { PromptBlock } from "../script/estimate-usage.ts";
import { prefixCache } from "./prefix-cache.ts";

/** One block a letter, of one token; a capital is marked. */
const blocks = (letters: string): PromptBlock[] =>
  Array.from(letters, (letter) => ({ key: letter.toLowerCase(), tokens: 1, marked: letter !== letter.toLowerCase() }));

test.each<[string, string, string, object]>([
  ["nothing is kept without a mark", "abc", "abC", { sent: 3, read: 0, write: 3 }],
  ["what is kept is found at the same mark", "aBc", "aBd", { read: 2, write: 0 }],
  ["and before a later one", "aBc", "abcD", { read: 2, write: 2 }],
  ["but not without a mark", "aBc", "abcd", { read: 0, write: 0 }],
  ["nor when something before it changed", "aBc", "xBc", { read: 0, write: 2 }],
  ["the longest of several counts", "ABC", "abcD", { read: 3, write: 1 }],
  ["20 blocks back are looked at", "A", `a${"b".repeat(18)}C`, { read: 1, write: 19 }],
  ["21 are not", "A", `a${"b".repeat(19)}C`, { read: 0, write: 21 }],
])("%s", (_name, earlier, later, expected) => {
  const cache = prefixCache();
  cache.keep("m", blocks(earlier));
  expect(cache.look("m", blocks(later))).toMatchObject(expected);
  expect(cache.look("another", blocks(later))).toMatchObject({ read: 0 });
});
