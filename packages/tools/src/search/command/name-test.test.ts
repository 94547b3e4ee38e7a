import { expect, test } from "vitest";
import { nameTest } from "./name-test.ts";

test.each([
  ["*.ts", "a.ts", true],
  ["*.ts", "a.tsx", false],
  ["?.c", "a.c", true],
  ["?.c", "ab.c", false],
  ["[ab]*", "bc", true],
  ["[!ab]*", "bc", false],
  ["[]x]", "]", true],
  ["a.b", "axb", false],
  ["\\*", "*", true],
  ["\\*", "a", false],
  ["é*", "été", true],
  ["node_modules", "node_modules", true],
  ["a*".repeat(30), "b".repeat(200), false],
])("%s and %s", (glob, name, matches) => {
  expect(nameTest(glob)(name)).toBe(matches);
});
