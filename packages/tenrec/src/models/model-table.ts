import type { Price, PriceTable } from "@tenrec/runtime/models";
import type { Provider } from "../run/providers.ts";
import type { Paint } from "../terminal/paint.ts";
import { oneLine } from "../view/one-line.ts";

export interface ProviderRow {
  readonly provider: Provider;
  readonly isConfigured: boolean;
  /** Some of its models, as `provider/name`: those that are listed somewhere. */
  readonly models: readonly string[];
  /** Why it cannot be used though its variable is set. */
  readonly problem?: string;
}

/** Providers with what they need, and their models with what a million tokens cost. */
export function modelTable(rows: readonly ProviderRow[], prices: PriceTable, date: string, paint: Paint): string {
  const width = Math.max(...rows.flatMap(({ models }) => models.map((model) => model.length)), 0);
  const lines = rows.flatMap(({ provider, isConfigured, models, problem }) => [
    headline(provider, isConfigured && problem === undefined, paint),
    ...(problem === undefined ? [] : [`    ${paint("yellow", problem)}`]),
    ...models.map((model) => `    ${oneLine(model).padEnd(width)}  ${priceText(prices[model])}`),
  ]);
  const note = `US dollars for a million tokens in (from the cache) and out, of ${date}. Other models of a provider work too.`;
  return [...lines, "", note, ""].join("\n");
}

function headline({ name, variable, how }: Provider, isUsable: boolean, paint: Paint): string {
  if (isUsable) return `${paint("green", "✓")} ${paint("bold", name)}  ${variable} is set`;
  return `${paint("dim", "–")} ${paint("bold", name)}  needs ${variable}: ${how}`;
}

function priceText(price: Price | undefined): string {
  if (!price) return "no price is known";
  return `$${price.input} ($${price.cachedInput}), $${price.output}`;
}
