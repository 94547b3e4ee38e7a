/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  /** Input read from the provider's cache. */
  readonly cachedInput: number;
  /** Input written to the cache. Default: as `input`. */
  readonly cacheWrite?: number;
  readonly output: number;
}

export type PriceTable = Readonly<Record<string, Price>>;

/** List prices of {@link PRICES_DATE}. A model that is not listed has no known price, and money caps do not see it. */
export const PRICES: PriceTable = {
  "anthropic/claude-opus-4-5": { input: 5, cachedInput: 0.5, cacheWrite: 6.25, output: 25 },
  "anthropic/claude-sonnet-4-5": { input: 3, cachedInput: 0.3, cacheWrite: 3.75, output: 15 },
  "anthropic/claude-haiku-4-5": { input: 1, cachedInput: 0.1, cacheWrite: 1.25, output: 5 },
  "openai/gpt-5.1": { input: 1.25, cachedInput: 0.125, output: 10 },
  "openai/gpt-5.1-codex": { input: 1.25, cachedInput: 0.125, output: 10 },
  "openai/gpt-5-mini": { input: 0.25, cachedInput: 0.025, output: 2 },
  "workers-ai/@cf/moonshotai/kimi-k2.7-code": { input: 0.95, cachedInput: 0.19, output: 4 },
};

/** When {@link PRICES} was written down. */
export const PRICES_DATE = "2026-11-29";

/** A date behind a model's name, as providers write it for a fixed version. */
const DATE = /-(?:\d{8}|\d{4}-\d{2}-\d{2})$/;

/**
 * The price of a model by its whole name. A dated version, such as `…-20250929`, costs what the name without the date
 * does, and `gateway/…` what the provider behind it does, unless the table has them.
 */
export function priceOf(prices: PriceTable, model: string): Price | undefined {
  const direct = model.replace(/^gateway\//, "");
  const names = [model, direct, direct.replace(DATE, "")];
  const listed = names.find((name) => Object.hasOwn(prices, name));
  return listed === undefined ? undefined : prices[listed];
}

interface Tokens {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
}

/** What a model call costs; undefined when the price is not known. */
export function cost(price: Price | undefined, tokens: Tokens): number | undefined {
  if (!price) return undefined;
  const plain = Math.max(0, tokens.inputTokens - tokens.cachedInputTokens - tokens.cacheWriteTokens);
  const micro =
    plain * price.input +
    tokens.cachedInputTokens * price.cachedInput +
    tokens.cacheWriteTokens * (price.cacheWrite ?? price.input) +
    tokens.outputTokens * price.output;
  return micro / 1_000_000;
}
