import { hasCode } from "@tenrec/protocol";
import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import { Alphabet } from "./alphabet.ts";
import { LazyDfa } from "./lazy-dfa.ts";
import { parsePattern } from "./parse-pattern.ts";
import { toProgram } from "./program.ts";

function matches(pattern: string, text: string): boolean {
  const program = toProgram(parsePattern(pattern), pattern);
  const bytes = Buffer.from(text);
  return new LazyDfa(program, new Alphabet(program, false)).find(bytes, 0, bytes.length) !== -1;
}

describe("what a pattern matches", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["a.c", ["abc", "aéc", "a😀c"], ["ac", "a\nc"]],
    ["(?s)a.c", ["a\nc"], []],
    ["^b$", ["b", "a\nb\nc"], ["ab"]],
    ["(?-m)^b$", ["b"], ["a\nb"]],
    ["\\Ab\\z", ["b"], ["a\nb", "b\n"]],
    ["(?R)^a$", ["a\r\nb", "b\ra\r"], ["ab"]],
    ["[]a]", ["]", "a"], ["b"]],
    ["[^]a]", ["b"], ["]", "a"]],
    ["[a-]", ["-"], ["b"]],
    ["[-a]", ["-"], ["b"]],
    ["[a-c[x-z]]", ["b", "y"], ["d"]],
    ["[a-z&&[^aeiou]]", ["b"], ["e", "B"]],
    ["[\\w--\\d]", ["a"], ["1"]],
    ["[a-g~~b-h]", ["a", "h"], ["b"]],
    ["[[:upper:][:^word:]]", ["A", "-"], ["a"]],
    ["\\d\\D", ["1a", "٣a"], ["a"]],
    ["(?-u)\\d", ["1"], ["٣"]],
    ["\\bé\\b", ["é", "a é."], ["éa"]],
    ["(?-u:\\b)a", ["éa"], ["xa"]],
    ["\\b{start}a\\b{end}", ["a b"], ["ba", "ab"]],
    ["\\<a\\>", ["a b"], ["ba", "ab"]],
    ["\\Ba", ["ba"], ["a"]],
    ["\\pL\\p{Nd}\\P{L}", ["é1-"], ["1a-"]],
    ["\\p{Greek}\\p{sc=Han}\\p{Script_Extensions=Latin}", ["α日a"], ["a日a"]],
    ["\\p{lowercase letter}\\p{alpha}", ["aB"], ["Ab"]],
    ["\\x41\\x{1F600}\\u0042\\U00000043", ["A😀BC"], []],
    ['\\.\\/\\-\\ \\"', ['./- "'], []],
    ["a{2}b{1,}c{0,1}", ["aab", "aabbc"], ["ab", "aa"]],
    ["a{ 2 , 3 }b", ["aab"], ["ab"]],
    ["x(?:){3}y|()*z", ["xy", "z"], []],
    ["(?i)straße\\x6b", ["STRAẞE\u212a"], ["strassek"]],
    ["(?i:a)b(?i)c(?-i)d", ["AbCd"], ["ABCd", "AbCD"]],
    ["(?P<n>a)(?<m>b)", ["ab"], []],
    ["(?x) a # comment\n b \\ c", ["ab c"], ["a b c"]],
    ["(?U)a+?b", ["ab"], []],
    ["", ["", "a"], []],
    ["a||b", ["", "c"], []],
    ["[^\\n]", ["a"], ["\n"]],
  ])("%s", (pattern, yes, no) => {
    expect(yes.filter((text) => !matches(pattern, text))).toEqual([]);
    expect(no.filter((text) => matches(pattern, text))).toEqual([]);
  });
});

describe("what is refused", () => {
  test.each([
    ..."( ) a) (a [ [a [] [z-a] [a-\\d] [\\b] * +a ?a { a{ a{x a{,3} x{2,1} (?=a) (?!a) (?<=a) (?<!a) (?a) (?".split(
      " ",
    ),
    ..."(?P<a>b)(?P<a>c) (?P<1>a) (?P<a \\ \\1 \\q \\e \\h \\Z \\G \\K \\R \\X \\cA \\N \\0 \\x \\xg1 \\x{110000} \\uD800".split(
      " ",
    ),
    ..."\\p{Foo} \\p{^L} \\p{sc=Foo} \\p{Constructor} \\p \\é (?i*) (?--i) [[:alpha:] (a|b".split(" "),
    "(".repeat(300),
    "[".repeat(300),
    "(?:a{1000}){1000}",
    "(?:(?:a{1,99}){1,99}b){1,99}",
  ])("%s", (pattern) => {
    let error: unknown;
    try {
      toProgram(parsePattern(pattern), pattern);
    } catch (thrown) {
      error = thrown;
    }
    expect(hasCode(error, "EINVAL") && error.data.reason).toMatch(/\w+ \w+/);
  });
});
