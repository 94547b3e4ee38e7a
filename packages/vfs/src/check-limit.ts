import { TenrecError } from "@tenrec/protocol";

/** The limit itself. `request-invalid` for what would be none without a word, as NaN is. */
export function checkLimit(name: string, limit: number): number {
  if (typeof limit === "number" && limit >= 0) return limit;
  throw new TenrecError("request-invalid", { reason: `${name} is ${String(limit)}, not a number from 0` });
}
