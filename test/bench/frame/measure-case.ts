import { type Contestant, measureInTurns, type Turns } from "./measure-in-turns.ts";
import type { Report } from "./report.ts";

/** What the command line says of runs, and where figures go. */
export interface Measuring {
  readonly report: Report;
  readonly runs: number | undefined;
  readonly quick: boolean;
}

/** How often a case is measured, unless the command line says otherwise. */
type Plan = Pick<Turns, "runs" | "atLeast" | "budgetMs">;

const QUICK_RUNS = 2;

/** How often a case is measured, unless the command line says less or more. */
export function turnsFor({ runs, quick }: Pick<Measuring, "runs" | "quick">, plan: Plan): Turns {
  const most = runs ?? (quick ? Math.min(QUICK_RUNS, plan.runs) : plan.runs);
  return { ...plan, runs: most, atLeast: runs ?? plan.atLeast, now: () => performance.now() };
}

/** Measures contestants in turn and reports each of them under this name. */
export async function measureCase(
  measuring: Measuring,
  name: string,
  contestants: readonly Contestant[],
  plan: Plan,
): Promise<void> {
  const times = await measureInTurns(contestants, turnsFor(measuring, plan));
  for (const [subject, values] of times) measuring.report.measured(name, subject, values);
}
