import { describe, expect, it } from "vitest";
import type { Span } from "./automaton.ts";
import { Regex } from "./regex.ts";

function matchesOf(source: string, text: string): { readonly spans: Span[]; readonly work: number } {
  const search = new Regex(source).search(text);
  const spans: Span[] = [];
  for (let at = 0; at <= text.length;) {
    const match = search.find(at);
    if (!match) break;
    spans.push(match);
    at = match.end > match.start ? match.end : match.end + 1;
  }
  return { spans, work: search.work };
}

const LENGTH = 100_000;
const of = (part: string): string => part.repeat(LENGTH / part.length);
/** Letters without an order that a pattern could be made for. */
const letters = (): string => {
  let state = 1;
  const next = (): string => ((state = (state * 16_807) % 2_147_483_647) & 64 ? "a" : "b");
  return Array.from({ length: LENGTH }, next).join("");
};

describe("the search for all matches of a text", () => {
  it.each<readonly [pattern: string, text: string, matches: number]>([
    ["a*b|a", of("a"), LENGTH],
    ["a*b|a", `${of("a")}b`, 1],
    ["a|a*b", of("ac"), LENGTH / 2],
    ["a.*z|b", of("ab"), LENGTH / 2],
    ["(a.*z)?", of("ab"), LENGTH + 1],
    ["a.*z|b", of("\u{1f600}ab"), LENGTH / 4],
    ["[ab]*c|[ab]*d|a", of("ab"), LENGTH / 2],
    ["(a|b)*a(a|b){8}c|b", letters(), letters().replaceAll("a", "").length],
    ["a(b*a)*c|a", letters(), letters().replaceAll("b", "").length],
    ["(a?){50}b|a", of("a"), LENGTH],
    ["a(.{30})*z|a", of("ab"), LENGTH / 2],
    ["\\<a.*\\>!|a", of("a "), LENGTH / 2],
    ["a.*$\\y!|a", of("a "), LENGTH / 2],
    ["a+$|a", `${of("a")}b`, LENGTH],
    ['"[^"]*"x|"', of('"y'), LENGTH / 2],
  ])("takes steps in proportion to the text: %s", (pattern, text, matches) => {
    const { spans, work } = matchesOf(pattern, text);
    expect(spans).toHaveLength(matches);
    expect(work / text.length).toBeLessThan(50);
  });
});
