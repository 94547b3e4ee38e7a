import { expect, test } from "vitest";
import { parseGlobRule } from "./glob-rule.ts";
import { RuleSet } from "./rule-set.ts";
import { ignoreVerdict, parseIgnoreFile } from "./ignore-rules.ts";

function isIgnored(text: string, path: string): boolean {
  const isDirectory = path.endsWith("/");
  const plain = `/${isDirectory ? path.slice(0, -1) : path}`;
  const name = plain.slice(plain.lastIndexOf("/") + 1);
  return ignoreVerdict([[parseIgnoreFile("/", text)]], plain, name, isDirectory) === "ignore";
}

test.each<[string, string, boolean]>([
  ["*.rs", "src/main.rs", true],
  ["/*.c", "cat.c", true],
  ["/*.c", "src/cat.c", false],
  ["src/*.rs", "src/a.rs", true],
  ["src/*.rs", "lib/src/a.rs", false],
  ["a/**/b", "a/b", true],
  ["a/**/b", "a/x/y/b", true],
  ["**/b", "b", true],
  ["src/**/*.ts", "src/a.ts", true],
  ["src/**/*.ts", "src/x/y/a.ts", true],
  ["src/**/*.ts", "src/.ts", true],
  ["src/**/*.ts", "src.ts", false],
  ["src/**/*.ts", "lib/src/a.ts", false],
  ["a.ts/**/*.ts", "a.ts", false],
  ["x/**/y/**/*.ts", "x/q/y/a.ts", true],
  ["**/*.ts", "a.ts", true],
  ["**/*.ts", "x/y.tsx", false],
  ["a/**", "a/", false],
  ["a/**", "a/b/c", true],
  ["foo/", "foo", false],
  ["foo/", "x/foo/", true],
  ["foo", "foo/", true],
  ["!a\n*", "a", true],
  ["*\n!a", "a", false],
  ["\\#a", "#a", true],
  ["#a", "#a", false],
  ["\\!a", "!a", true],
  ["a ", "a", true],
  ["a\\ ", "a ", true],
  ["a\r\nb\r", "b", true],
  ["[ab]", "b", true],
  ["[!ab]", "c", true],
  ["?", "/", false],
  [".*", ".env", true],
  ["*", ".env", true],
  ["+(a)", "a", false],
  ["", "a", false],
  ["/", "a", false],
  ["*.{js,ts}", "a.ts", true],
  ["**/b", "x/y/b", true],
  ["**/b", "x/ab", false],
  ["!**/b\n**/*", "b", true],
  ["**/*.log", "x/a.log", true],
  ["**/b/", "x/b", false],
  ["**/b/", "x/b/", true],
  ["**/**", "x/b", true],
  ["**/b*c", "x/bac", true],
  ["**/{a,b}", "x/b", true],
  ["log*.txt", "log1.txt", true],
  ["log*.txt", "a.log1.txt", false],
  ["log{,s}/**/a", "log/a", false],
  ["log[s]/**/a", "logs/x/a", true],
])("%j says of %s: %s", (text, path, ignored) => {
  expect(isIgnored(text, path)).toBe(ignored);
});

test("a pattern that would hang others does not", () => {
  const rule = parseGlobRule(`${"*a".repeat(20)}b`);
  expect(rule && new RuleSet([rule]).lastMatch("a".repeat(255), "a".repeat(255), false)).toBeUndefined();
});

test("a name at any depth is found by its name", () => {
  expect(parseGlobRule("**/node_modules/")).toMatchObject({ plainName: "node_modules", directoryOnly: true });
  expect(parseGlobRule("**/*.log")).toMatchObject({ extension: ".log" });
});

test("thousands of rules that begin otherwise cost next to nothing", { timeout: 12_000 }, () => {
  const text = Array.from({ length: 20_000 }, (_, index) => `pat${index}*x/**/y`).join("\n");
  const rules = parseIgnoreFile("/", text);
  const ask = (path: string): unknown => ignoreVerdict([[rules]], path, path.slice(path.lastIndexOf("/") + 1), false);
  for (let index = 0; index < 2000; index++) expect(ask(`/src/file${index}`)).toBeUndefined();
  expect(ask("/pat7-x/a/y")).toBe("ignore");
});
