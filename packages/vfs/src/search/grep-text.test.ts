import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { grepText } from "./grep-text.ts";
import { compileQuery } from "./matcher.ts";

const limits = { before: 0, after: 0, maxCount: Number.POSITIVE_INFINITY };

describe("grepText", () => {
  test("gives what a test of every line gives, with any context", () => {
    const text = fc.string({ unit: fc.constantFrom(..."aAkK\u212asS\u017fé \r\n\n".split("")), maxLength: 60 });
    const pattern = fc.constantFrom("a", "k", "s", "é", "a+k", "^a", "a$", "[^a]", "", " ", "ka", "(?:a|k)s", ".*");
    fc.assert(
      fc.property(
        text,
        pattern,
        fc.boolean(),
        fc.nat(3),
        fc.nat(3),
        fc.integer({ min: 1, max: 4 }),
        (content, source, ignoreCase, before, after, maxCount) => {
          const rows = content.split("\n");
          if (rows.at(-1) === "") rows.pop();
          const expression = RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
          const matching = rows.flatMap((row, index) => (expression.test(row) ? [index] : [])).slice(0, maxCount);
          const shown = new Set(
            matching.flatMap((at) =>
              rows.flatMap((_, index) => (index >= at - before && index <= at + after ? [index] : [])),
            ),
          );
          const wanted = [...shown]
            .sort((a, b) => a - b)
            .map((index) => [index + 1, rows[index]?.replace(/\r$/, ""), matching.includes(index)]);
          const got = grepText(content, compileQuery({ pattern: source, ignoreCase }), { before, after, maxCount });
          expect(got.lines.map(({ line, text, match }) => [line, text, match])).toEqual(wanted);
          expect(got.matches).toBe(matching.length);
        },
      ),
      { numRuns: 3000 },
    );
  });

  test("a multiline pattern that matches one line gives what the same without multiline gives", () => {
    const text = fc.string({ unit: fc.constantFrom(..."abc\n".split("")), maxLength: 40 });
    fc.assert(
      fc.property(text, fc.constantFrom("a", "ab", "^b", "c$", "a|bc", "b+"), (content, pattern) => {
        const one = grepText(content, compileQuery({ pattern }), limits);
        expect(grepText(content, compileQuery({ pattern, multiline: true }), limits)).toEqual(one);
      }),
      { numRuns: 2000 },
    );
  });

  test("a cut does not halve a character", () => {
    const { lines } = grepText(`${"a".repeat(499)}\u{1f600}b`, compileQuery({ pattern: "b" }), limits);
    expect(lines).toEqual([{ line: 1, text: `${"a".repeat(499)}\ufffd`, match: true, cut: true }]);
  });
});
