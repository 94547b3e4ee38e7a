import { type BudgetCaps, type Spent, TenrecError } from "@tenrec/protocol";

/** Throws `budget-exceeded` when no Dynamic Worker may be loaded, since what `scope` has spent is at one of its caps. */
export function checkLoad(spent: Spent, caps: BudgetCaps | undefined, scope: string): void {
  const { workers = 0, usd } = spent;
  if (caps?.workers !== undefined && workers >= caps.workers) {
    throw new TenrecError("budget-exceeded", {
      unit: `Dynamic Workers of the ${scope}`,
      spent: workers,
      limit: caps.workers,
    });
  }
  if (caps?.usd !== undefined && usd >= caps.usd) {
    throw new TenrecError("budget-exceeded", { unit: `dollars of the ${scope}`, spent: usd, limit: caps.usd });
  }
}
