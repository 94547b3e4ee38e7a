import fc from "fast-check";
import { expect, test } from "vitest";
import { Automaton, type Span } from "./automaton.ts";
import { compileEre } from "./compile-ere.ts";
import { parseEre } from "./parse-ere.ts";
import { Prospects } from "./prospects.ts";

const RUNS = Number(process.env["TENREC_RUNS"] ?? 200);

const part = fc.constantFrom("a", "b", ".", "[^a]", "\u{1f600}", "^", "$", "\\y", "\\B", "\\<", "\\>", "é", " ");
const pattern = fc
  .array(fc.tuple(part, fc.constantFrom("", "", "*", "+", "?", "|", "{2}")), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.map(([each, sign]) => each + sign).join(""))
  .chain((source) => fc.constantFrom(source, `(${source})*|a`, `(${source})+z|b`));
const text = fc
  .array(fc.constantFrom("a", "b", " ", "z", "é", "\u{1f600}", "\ud83d"), { maxLength: 12 })
  .chain((parts) => fc.constantFrom(1, 1, 700).map((times) => parts.join("").repeat(times)));

/** Up to 30 matches, from front to back. */
function matchesOf(automaton: Automaton, subject: string, prospects?: Prospects): Span[] {
  const spans: Span[] = [];
  for (let at = 0; at <= subject.length && spans.length < 30;) {
    const { span } = automaton.find(subject, at, prospects);
    if (!span) break;
    spans.push(span);
    // Far on now and then, over what is kept at a time.
    at = span.end + (span.end > span.start ? 0 : 1) + (spans.length % 7 === 0 ? 900 : 0);
  }
  return spans;
}

test("what is known of matches to come changes none", () => {
  fc.assert(
    fc.property(pattern, text, (source, subject) => {
      const steps = compileEre(parseEre(source, false).expression);
      const automaton = new Automaton(steps, true);
      const known = new Prospects(steps, subject, 0);
      expect(matchesOf(automaton, subject, known)).toEqual(matchesOf(automaton, subject));
    }),
    { numRuns: RUNS },
  );
}, 300_000);
