import type { DurableEventBody, TenrecEvent } from "@tenrec/protocol";

/** What model calls and Dynamic Workers used, added up. */
export interface Spent {
  readonly calls: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly usd: number;
  /** The price of a model was not known: `usd` is too low. */
  readonly unpriced: boolean;
  readonly scripted: boolean;
}

export const NOTHING_SPENT: Spent = {
  calls: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  usd: 0,
  unpriced: false,
  scripted: false,
};

/** With what an event says that something cost; most events cost nothing. */
export function spend(spent: Spent, event: TenrecEvent | DurableEventBody): Spent {
  if (event.type === "worker-usage") return { ...spent, usd: spent.usd + event.usd };
  if (event.type !== "usage") return spent;
  const scripted = event.model.startsWith("scripted/");
  return {
    calls: spent.calls + 1,
    inputTokens: spent.inputTokens + event.inputTokens,
    cachedInputTokens: spent.cachedInputTokens + event.cachedInputTokens,
    outputTokens: spent.outputTokens + event.outputTokens,
    usd: spent.usd + (event.usd ?? 0),
    unpriced: spent.unpriced || (event.usd === undefined && !scripted),
    scripted: spent.scripted || scripted,
  };
}

/** `12,345 tokens in (9,000 cached), 678 out`. */
export function tokensText({ inputTokens, cachedInputTokens, outputTokens }: Spent): string {
  const cached = cachedInputTokens > 0 ? ` (${amount(cachedInputTokens)} cached)` : "";
  return `${amount(inputTokens)} tokens in${cached}, ${amount(outputTokens)} out`;
}

/** What it cost, as plainly as it is known. */
export function costText(spent: Spent): string {
  const { usd, unpriced, scripted } = spent;
  if (unpriced && usd === 0) return "cost unknown: no price is listed for this model";
  const known = `$${usd > 0 && usd < 0.01 ? usd.toFixed(4) : usd.toFixed(2)}`;
  if (scripted && usd === 0) return `${known}, scripted model`;
  return unpriced ? `${known} and calls without a known price` : known;
}

export function amount(value: number): string {
  return value.toLocaleString("en-US");
}

/** `850 ms`, `7.4 s`, `2 min 5 s`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
