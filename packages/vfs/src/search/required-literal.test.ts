import fc from "fast-check";
import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { requiredLiteral } from "./required-literal.ts";

test.each([
  ["foo", "foo"],
  ["foo\\.bar", "foo.bar"],
  ["foo.bar!", "bar!"],
  ["ab?cd", "cd"],
  ["ab+cd", "ab"],
  ["ab{2,3}cde", "cde"],
  ["a{x", "a{x"],
  ["\\bfunction\\s+name\\(", "function"],
  ["(a|b)cd", "cd"],
  ["[a|(]cd", "cd"],
  ["[]a]cd", "cd"],
  ["[[:alpha:]]]cd", "]cd"],
  ["(?:x)*longer(?:y)", "longer"],
  ["^import$", "import"],
  ["a|b", undefined],
  ["(?i)foo", undefined],
  ["\\x41bc", undefined],
  ["\\pLbc", undefined],
  ["\\Qa|b\\E", undefined],
  ["(\\Q)\\E|)ab", undefined],
  ["a*", undefined],
  [".", undefined],
])("%s requires %s", (pattern, literal) => {
  expect(requiredLiteral(pattern)).toBe(literal);
});

test("every match contains it", () => {
  const piece = fc.constantFrom(
    ..."abcAB01".split(""),
    ..."*+?.|^$()[]{}\\-,:".split(""),
    ..."(?: (?i) (?P<n> \\b \\. \\d \\Q \\E {2} {0,1} {,2} ?? [^a] [:alpha:] \\x41 \\pL \\n".split(" "),
  );
  const pattern = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
  const text = fc.string({ unit: fc.constantFrom(..."abcAB01.|{},2:-".split("")), maxLength: 12 });
  const matchesOf = (source: string, texts: string[]): (string | null)[] => {
    let expression: RE2JS;
    try {
      expression = RE2JS.compile(source);
    } catch {
      return [];
    }
    return texts.flatMap((subject) => {
      const matcher = expression.matcher(subject);
      return matcher.find() ? [matcher.group()] : [];
    });
  };
  let checked = 0;
  const property = fc.property(pattern, fc.array(text, { maxLength: 30 }), (source, texts) => {
    const literal = requiredLiteral(source) ?? "";
    const matches = matchesOf(source, texts);
    checked += literal === "" ? 0 : matches.length;
    return matches.every((match) => match?.includes(literal));
  });
  fc.assert(property, { numRuns: 5000 });
  expect(checked).toBeGreaterThan(100);
});
