import { hasCode } from "@tenrec/protocol";
import { describe, expect, test } from "vitest";
import { Backtracker, type BacktrackOptions } from "./backtracker.ts";

function found(pattern: string, text: string, options: Partial<BacktrackOptions> = {}): string[] {
  const tracker = new Backtracker(pattern, { dialect: "perl", ...options });
  return [...tracker.matches(text)].map(({ captures }) =>
    Array.from({ length: captures.length / 2 }, (_, at) =>
      (captures[2 * at] ?? -1) < 0 ? "-" : text.slice(captures[2 * at], captures[2 * at + 1]),
    ).join(","),
  );
}

// JavaScript's own engine is the oracle: a pattern, and a text.
const SHARED: readonly (readonly [string, string])[] = [
  ["a|ab|b", "abba"],
  ["(a+)(b?)", "aab ab a"],
  ["(a*)*b", "aaab"],
  ["(?:a|(b))+", "abab"],
  ["(\\w)\\1", "hello book"],
  ["(?<x>.)\\k<x>", "aabbc"],
  ["(?<=\\$)\\d+", "$12 13 $4"],
  ["(?<!\\$)\\b\\d+", "$12 13 $4"],
  ["foo(?=bar)", "foobar foobaz"],
  ["foo(?!bar)\\w+", "foobar foobaz"],
  ["a{2,3}?", "aaaaa"],
  ["a{2,}", "aaaaa a"],
  ["[^a-c\\]]+", "abcdef]g"],
  ["[\\w.-]+@[\\w-]+", "me@x you.too@y-z"],
  ["^a|b$", "ab\nab"],
  ["\\bfoo\\B", "foo food"],
  ["(?:)", "abc"],
  ["é+|\\u{1f600}", "éé😀"],
  ["([a-z]+)-(\\d+)?", "ab-12 cd-"],
  ["(?:(a)|b)*", "ab"],
  ["x*?y", "xxy"],
];

describe("a bounded matcher", () => {
  test.each(SHARED)("finds what JavaScript finds: %s in %j", (pattern, text) => {
    const theirs = Array.from(text.matchAll(new RegExp(pattern, "gu")), (match) =>
      Array.from(match, (part) => part ?? "-"),
    );
    const ours = found(pattern, text);
    // An empty match right behind another one is no match here, as for ripgrep. A group keeps what it had in an earlier round.
    expect(ours.map((one) => one.split(",")[0])).toEqual(
      theirs.map((one) => one[0]).filter((one, at) => one !== "" || at === 0 || (theirs[at - 1]?.[0] ?? "") === ""),
    );
  });

  test.each<[string, string, Partial<BacktrackOptions>, string[]]>([
    ["(?<=a|bcd)x", "ax bcdx cdx", {}, ["x", "x"]],
    ["(?<=^a*)b", "aab", {}, ["b"]],
    ["(?<=😀{2})b", "😀b😀😀b", {}, ["b"]],
    ["(?<!(a)\\1)b", "ab aab", {}, ["b,-"]],
    ["\\Kb", "b", {}, ["b"]],
    ["a\\Kb", "ab ab", {}, ["b", "b"]],
    ["(?>a+)ab", "aaab", {}, []],
    ["a++ab", "aaab", {}, []],
    ["\\Qa.b\\E+", "a.bb axb", {}, ["a.bb"]],
    ["(?i)FOO(?-i)x", "foox fooX", {}, ["foox"]],
    ["foo", "FOO", { ignoreCase: true }, ["FOO"]],
    ["(b)\\1", "bB", { ignoreCase: true }, ["bB,b"]],
    ["\\h+", "a \tb", {}, [" \t"]],
    ["[[:upper:]_]+", "abC_D", {}, ["C_D"]],
    ["[]a]+", "x]a", {}, ["]a"]],
    ["(?#note)a # b", "a # b", {}, ["a # b"]],
    ["(?x) a # note\n b", "ab", {}, ["ab"]],
    ["(?P<n>a)(?P=n)", "aa", {}, ["aa,a"]],
    ["a|ab", "ab", { longest: true }, ["ab"]],
    ["(a|ab)(c|bcd)", "abcd", { longest: true }, ["abcd,a,bcd"]],
    ["foo", "foo food", { word: true }, ["foo"]],
    ["a|ab", "ab", { wholeLine: true }, ["ab"]],
    ["[a-z&&[^b]]+", "abc", { dialect: "rust" }, ["a", "c"]],
    ["[a-d--b]+", "abcd", { dialect: "rust" }, ["a", "cd"]],
    ["\\b{start}o", "oo o", { dialect: "rust" }, ["o", "o"]],
    [".", "a\nb", {}, ["a", "b"]],
    ["a.b", "a\nb", { dotAll: true }, ["a\nb"]],
    ["a$", "a\n", {}, ["a"]],
    ["\\R", "\r\n", {}, ["\r\n"]],
    ["\\x41\\x{42}\\u0043", "ABC", {}, ["ABC"]],
  ])("%s in %j with %j", (pattern, text, options, wanted) => {
    expect(found(pattern, text, options)).toEqual(wanted);
  });

  test.each([
    ["(", /not closed/],
    ["a)", /not open/],
    ["[a", /class is not closed/],
    ["*a", /repeats nothing/],
    ["a{3,1}", /wrong order/],
    ["[b-a]", /wrong order/],
    ["a{2000}", /repeats too much/],
    ["(?R)", /no group \(\?R/],
    ["(?1)", /no group \(\?1/],
    ["\\p{Nope}", /no Unicode class/],
    ["\\y", /no escape/],
    ["[[:nope:]]", /no class/],
    ["a\\", /ends with a backslash/],
    ["(".repeat(300), /nested more than/],
  ])("refuses %j", (pattern, reason) => {
    let error: unknown;
    try {
      void new Backtracker(pattern, { dialect: "perl" });
    } catch (thrown) {
      error = thrown;
    }
    expect(hasCode(error, "EINVAL") && error.data.reason).toMatch(reason);
  });

  test.each([
    ["(a+)+$", `${"a".repeat(40)}b`],
    ["(?=(a+))a*b\\1", `${"a".repeat(20_000)}c`],
    ["((((a*)*)*)*)*b", "a".repeat(200)],
    ["(?:a|b)*c", "ab".repeat(100_000)],
  ])("gives up on %s", (pattern, text) => {
    expect(() => found(pattern, text)).toThrow(/too many steps/);
  });

  test("looks at any number of lines, but not for ever", () => {
    const tracker = new Backtracker("(?<=x)y", { dialect: "perl" });
    for (let line = 0; line < 60_000; line++)
      expect(tracker.find("a line of some length, without the two", 0)).toBeUndefined();
    const hostile = new Backtracker("(a|b|ab)*c", { dialect: "perl" });
    const all = (): void => {
      for (let line = 0; line < 1000; line++) hostile.find("abababababababababababababab", 0);
    };
    expect(all).toThrow(/too many steps/);
  });

  test("has no trouble with a long line", () => {
    expect(found(".*b", `${"a".repeat(200_000)}b`)).toHaveLength(1);
  });
});
