import { describe, expect, test } from "vitest";
import { cost, priceOf, PRICES, PRICES_DATE } from "./prices.ts";

const MILLION = 1_000_000;
const none = { inputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };

describe("cost", () => {
  const price = { input: 3, cachedInput: 0.3, cacheWrite: 3.75, output: 15 };

  test.each([
    ["nothing", {}, 0],
    ["plain input", { inputTokens: MILLION }, 3],
    ["output, with its reasoning", { outputTokens: MILLION }, 15],
    ["input that is all cached", { inputTokens: MILLION, cachedInputTokens: MILLION }, 0.3],
    ["input that is all written to the cache", { inputTokens: MILLION, cacheWriteTokens: MILLION }, 3.75],
    [
      "a bit of each",
      {
        inputTokens: MILLION,
        cachedInputTokens: MILLION / 2,
        cacheWriteTokens: MILLION / 10,
        outputTokens: MILLION / 10,
      },
      0.4 * 3 + 0.5 * 0.3 + 0.1 * 3.75 + 0.1 * 15,
    ],
    // Some endpoints count what is cached beside the input and not within.
    ["more cached than there is", { inputTokens: 10, cachedInputTokens: MILLION }, 0.3],
  ])("of %s", (_name, tokens, usd) => {
    expect(cost(price, { ...none, ...tokens })).toBeCloseTo(usd, 9);
  });

  test("writing to the cache costs as input where nothing else is said", () => {
    const { cacheWrite: _none, ...plain } = price;
    expect(cost(plain, { ...none, inputTokens: MILLION, cacheWriteTokens: MILLION })).toBeCloseTo(3, 9);
  });

  test("is not known without a price", () => {
    expect(cost(undefined, none)).toBeUndefined();
  });
});

describe("priceOf", () => {
  test.each([
    ["anthropic/claude-sonnet-4-5", "anthropic/claude-sonnet-4-5"],
    ["anthropic/claude-sonnet-4-5-20250929", "anthropic/claude-sonnet-4-5"],
    ["openai/gpt-5.1-2025-11-13", "openai/gpt-5.1"],
    ["gateway/openai/gpt-5-mini", "openai/gpt-5-mini"],
    ["gateway/anthropic/claude-haiku-4-5-20251001", "anthropic/claude-haiku-4-5"],
  ])("%s costs what %s does", (model, listed) => {
    expect(priceOf(PRICES, model)).toBe(PRICES[listed]);
    expect(priceOf(PRICES, model)).toBeDefined();
  });

  test.each(["openai/gpt-5.1-mini", "openai-compatible/gpt-5.1", "toString", "anthropic/claude-sonnet-4-5-1"])(
    "%s is not known",
    (model) => {
      expect(priceOf(PRICES, model)).toBeUndefined();
    },
  );

  test("an entry of its own wins", () => {
    const own = { input: 1, cachedInput: 1, output: 1 };
    expect(priceOf({ ...PRICES, "openai/gpt-5.1-2025-11-13": own }, "openai/gpt-5.1-2025-11-13")).toBe(own);
  });
});

test("the table is dated, and its prices fit together", () => {
  expect(PRICES_DATE).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  for (const [model, { input, cachedInput, cacheWrite = input, output }] of Object.entries(PRICES)) {
    expect.soft(model).toMatch(/^[a-z-]+\/.+/);
    expect.soft(cachedInput, model).toBeLessThan(input);
    expect.soft(cacheWrite, model).toBeGreaterThanOrEqual(input);
    expect.soft(output, model).toBeGreaterThan(input);
  }
});
