export type { ModelChoice, ModelEnv } from "../models.ts";
export { modelFromEnv } from "../models.ts";
export type { Price, PriceTable } from "../prices.ts";
export { PRICES, PRICES_DATE } from "../prices.ts";
export { MODEL_VARIABLES } from "../models-providers.ts";
