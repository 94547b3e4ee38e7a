import { env } from "cloudflare:workers";

// Read when the module is evaluated: before any request.
const { CURRENCY, RATES } = env as Env;

export const price = (euros: number): string => `${(euros * (RATES[CURRENCY] ?? 1)).toFixed(2)} ${CURRENCY}`;
