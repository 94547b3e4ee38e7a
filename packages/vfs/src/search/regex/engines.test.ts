import { Buffer } from "node:buffer";
import fc from "fast-check";
import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { Alphabet } from "./alphabet.ts";
import { LazyDfa } from "./lazy-dfa.ts";
import { parsePattern } from "./parse-pattern.ts";
import { Pike } from "./pike.ts";
import { toProgram } from "./program.ts";
import { requiredTexts } from "./required-text.ts";
import type { Syntax } from "./syntax.ts";
import { trimForTest } from "./trim-for-test.ts";

const pieces = [
  ..."a b A k é 1 . [ab] [^a] [a-c1] \\d \\pL ^ $ (?i) a|b | () é? (?:ab)+ (?:a|b)* (?:a|ab) a{2} b{1,2}".split(" "),
  ..."a+? b*? (?:aé)? foo (?i:k) [^\\s] \\x61".split(" "),
  " ",
];
const piece = fc.constantFrom(...pieces);
const patterns = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(""));
const chars = fc.constantFrom(..."aabbAkK\u212aéÉ1 fo".split(""));
const lines = fc.array(fc.string({ unit: chars, maxLength: 10 }), { minLength: 1, maxLength: 12 });

function compile(syntax: Syntax, source: string): { dfa: LazyDfa; pike: Pike } {
  const program = toProgram(syntax, source);
  return {
    dfa: new LazyDfa(program, new Alphabet(program, true)),
    pike: new Pike(program, new Alphabet(program, true)),
  };
}

/** Line by line, whether it matches, and the first match. */
function search(
  source: string,
  rows: readonly string[],
): { matches: boolean; trimmed: boolean; span: string | undefined }[] {
  const syntax = parsePattern(source);
  const { dfa, pike } = compile(syntax, source);
  const trimmed = compile(trimForTest(syntax), source).dfa;
  return rows.map((row) => {
    const bytes = Buffer.from(row);
    const span = pike.find(bytes, 0, bytes.length, 0);
    return {
      matches: dfa.find(bytes, 0, bytes.length) !== -1,
      trimmed: trimmed.find(bytes, 0, bytes.length) !== -1,
      span: span && bytes.toString("utf8", span.start, span.end),
    };
  });
}

test("both engines find what re2js finds", () => {
  fc.assert(
    fc.property(patterns, lines, (source, rows) => {
      const expression = RE2JS.compile(source);
      const wanted = rows.map((row) => {
        const matcher = expression.matcher(row);
        const found = matcher.find();
        return { matches: found, trimmed: found, span: found ? matcher.group() : undefined };
      });
      expect(search(source, rows)).toEqual(wanted);
    }),
    { numRuns: 800 },
  );
});

test("lines of one text are found as they are alone", () => {
  fc.assert(
    fc.property(patterns, lines, (source, rows) => {
      const { dfa } = compile(trimForTest(parsePattern(source)), source);
      const text = Buffer.from(rows.map((row) => `${row}\n`).join(""));
      const found: number[] = [];
      let from = 0;
      for (
        let at = dfa.find(text, 0, text.length);
        at !== -1 && at < text.length;
        at = dfa.find(text, from, text.length)
      ) {
        found.push(text.toString("utf8", 0, at).split("\n").length - 1);
        from = text.indexOf(10, at) + 1;
      }
      expect(found).toEqual(search(source, rows).flatMap(({ matches }, index) => (matches ? [index] : [])));
    }),
    { numRuns: 400 },
  );
});

test("every match has one of the required texts", () => {
  let checked = 0;
  fc.assert(
    fc.property(patterns, lines, (source, rows) => {
      const required = requiredTexts(parsePattern(source));
      for (const { span } of search(source, rows)) {
        if (span === undefined || !required) continue;
        checked++;
        const { texts, exact } = required;
        expect(texts.some((text) => (exact ? span === text : span.includes(text)))).toBe(true);
      }
    }),
    { numRuns: 400 },
  );
  expect(checked).toBeGreaterThan(100);
});

test.each<[string, readonly string[] | undefined, boolean]>([
  ["foo", ["foo"], true],
  ["foo\\.bar", ["foo.bar"], true],
  ["foo|bar", ["foo", "bar"], true],
  ["a(?:b|c)d", ["abd", "acd"], true],
  ["foo.bar!", ["bar!"], false],
  ["ab?cd", ["cd"], false],
  ["ab+cd", ["cd"], false],
  ["(?:foo)+", ["foo"], false],
  ["\\bfunction\\s+name\\(", ["function"], false],
  ["^import$", ["import"], false],
  ["(?i)foo1", ["1"], false],
  ["(?:x)*longer(?:y)", ["longery"], false],
  ["foo|b*", undefined, false],
  ["a|b|c|d", undefined, false],
  ["(?i)foo", undefined, false],
  ["a*", undefined, false],
  [".", undefined, false],
])("%s requires %j", (source, texts, exact) => {
  const required = requiredTexts(parsePattern(source));
  expect(required && [...required.texts].toSorted()).toEqual(texts && [...texts].toSorted());
  expect(required?.exact ?? false).toBe(exact);
});
