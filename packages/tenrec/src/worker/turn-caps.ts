import type { BudgetCaps } from "@tenrec/protocol";
import type { WorkerOptions } from "./worker-options.ts";

/** The caps of a turn; what is not given keeps the agent's own. */
export function turnCaps({ maxUsd, maxSteps }: Pick<WorkerOptions, "maxUsd" | "maxSteps">): BudgetCaps {
  return { ...(maxUsd === undefined ? {} : { usd: maxUsd }), ...(maxSteps === undefined ? {} : { steps: maxSteps }) };
}
