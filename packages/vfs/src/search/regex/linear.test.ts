import { Buffer } from "node:buffer";
import { hasCode } from "@tenrec/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Alphabet } from "./alphabet.ts";
import { LazyDfa } from "./lazy-dfa.ts";
import { parsePattern } from "./parse-pattern.ts";
import { Pike } from "./pike.ts";
import { toProgram } from "./program.ts";

/** Steps that the two engines take on a text, as they count them. */
function steps(pattern: string, text: string): { test: number; find: number; size: number } {
  const program = toProgram(parsePattern(pattern), pattern);
  const bytes = Buffer.from(text);
  const dfa = new LazyDfa(program, new Alphabet(program, true));
  dfa.find(bytes, 0, bytes.length);
  const pike = new Pike(program, new Alphabet(program, true));
  pike.find(bytes, 0, bytes.length, 0);
  return { test: dfa.work, find: pike.work, size: program.ops.length };
}

// Patterns of public reports that make a backtracking matcher take quadratic to exponential time, with what does it.
const hostile: readonly (readonly [pattern: string, unit: string, end: string])[] = [
  ["(a+)+$", "a", "!"],
  ["(a*)*$", "a", "!"],
  ["(a|a)*$", "a", "!"],
  ["(a|aa)+$", "a", "!"],
  ["(.*)*x", "a", ""],
  ["(?:.*a){12}", "b", ""],
  ["(?:a?){20}a{20}", "a", "b"],
  ["^(([a-z])+.)+[A-Z]([a-z])+$", "a", "!"],
  ["([a-zA-Z]+)*\\d", "a", ""],
  ["(\\w+\\s?)+:$", "ab ", "!"],
  ["\\s+$", " ", "x"],
  ["^\\s+|\\s+$", " ", "x"],
  ["(x+x+)+y", "x", ""],
  ["(?:a|b|ab)*c", "ab", ""],
  ["(\\w*)*=", "a", ""],
  ["<!--.*?-->", "<!--", ""],
  ["([^,]*,)*x", "a,", ""],
  ['(?:[^"\\\\]+|\\\\.)*"', "a\\\\", ""],
  ["^(?:(?:a+)b?)*c", "a", "!"],
  ["\\b(?:\\w+\\W+){1,6}end", "a ", ""],
  ["(?:\\w{1,30}){1,30}!", "a", ""],
  ["^([0-9]+)*\\.([0-9]+)*$", "1", "x"],
  ["^(\\(?\\d+\\)?[- ]?)+$", "1", "x"],
  ["(a?b?c?)*d", "abc", ""],
  ["(?i)(a|A|aA)+!", "aA", ""],
  ["[a-z]+@[a-z]+([a-z.]+\\.)+[a-z]", "a@", ""],
  ["(?:(?:(?:a*)*)*)*b", "a", ""],
  [".*.*.*.*=.*", "a", ""],
];

describe("no pattern takes more than its share of a text", () => {
  test.each(hostile)("%s", (pattern, unit, end) => {
    const [short, long] = [500, 2000].map((times) => steps(pattern, unit.repeat(times) + end));
    const bytes = 2000 * unit.length + end.length + 1;
    for (const engine of ["test", "find"] as const) {
      expect(long?.[engine]).toBeLessThanOrEqual(4.5 * (short?.[engine] ?? 0) + 1000);
      // A step of the program is looked at twice for a character: before it and behind it.
      expect(long?.[engine]).toBeLessThanOrEqual(2 * bytes * (long?.size ?? 0));
    }
  });

  test("one that takes too much at each byte is given up", () => {
    let error: unknown;
    try {
      // No two places of this text are alike to the pattern.
      const text = Array.from({ length: 100_000 }, (_, at) => (Math.imul(at, 2_654_435_761) & 0x10000 ? "a" : "b"));
      steps("[ab]*a[ab]{500}c", text.join(""));
    } catch (thrown) {
      error = thrown;
    }
    expect(hasCode(error, "EINVAL") && error.data.reason).toMatch(/too many steps/);
  });

  test("nor one of chance", () => {
    const atom = fc.constantFrom("a", "b", ".", "\\w", "[ab]", "\\b", "^", "$", "(?:a|b)", "(?:a|ab)", "\\s");
    const repeat = fc.constantFrom("", "", "*", "+", "?", "{1,3}", "{2}", "*?", "+?");
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc
        .array(
          fc.tuple(
            fc.oneof(
              { depthSize: "small", withCrossShrink: true },
              atom,
              tie("pattern").map((inner) => `(${inner})`),
            ),
            repeat,
          ),
          { minLength: 1, maxLength: 4 },
        )
        .map((parts) => parts.map(([part, times]) => (/^[\^$\\]b?$/.test(part) ? part : part + times)).join("")),
    }));
    const text = fc.stringMatching(/^[ab ]{1,4}$/);
    fc.assert(
      fc.property(pattern, text, (source, unit) => {
        const bytes = 400 * unit.length;
        const { test: made, find, size } = steps(source, unit.repeat(400));
        expect(made).toBeLessThanOrEqual(2 * (bytes + 1) * size);
        expect(find).toBeLessThanOrEqual(2 * (bytes + 1) * size);
      }),
      { numRuns: 150 },
    );
  });
});
