import type { UsageEvent } from "@tenrec/protocol";
import { expect, test } from "vitest";
import { costText, durationText, NOTHING_SPENT, spend, tokensText } from "./spent.ts";

const usage = (model: string, usd?: number): UsageEvent => ({
  type: "usage",
  turn: 1,
  step: 1,
  model,
  inputTokens: 1200,
  cachedInputTokens: 1000,
  cacheWriteTokens: 0,
  outputTokens: 30,
  reasoningTokens: 0,
  ...(usd === undefined ? {} : { usd }),
});

test("adds up what calls used", () => {
  const spent = [usage("a/b", 0.5), usage("a/b", 0.25)].reduce(spend, NOTHING_SPENT);
  expect(tokensText(spent)).toBe("2,400 tokens in (2,000 cached), 60 out");
  expect(costText(spent)).toBe("$0.75");
});

test.each([
  ["a scripted model", [usage("scripted/tour")], "$0.00, scripted model"],
  ["less than a cent", [usage("a/b", 0.00123)], "$0.0012"],
  ["a model without a price", [usage("a/b")], "cost unknown: no price is listed for this model"],
  ["one with and one without", [usage("a/b", 2), usage("c/d")], "$2.00 and calls without a known price"],
  ["nothing", [], "$0.00"],
])("says the cost of %s", (_name, usages, expected) => {
  expect(costText(usages.reduce(spend, NOTHING_SPENT))).toBe(expected);
});

test.each([
  [12.4, "12 ms"],
  [7440, "7.4 s"],
  [125_000, "2 min 5 s"],
])("%d ms are %s", (ms, expected) => expect(durationText(ms)).toBe(expected));
