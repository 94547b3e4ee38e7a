import { type Contestant, measureInTurns, type Turns } from "../frame/measure-in-turns.ts";
import type { Report } from "../frame/report.ts";
import type { Ripgrep } from "./subjects/ripgrep.ts";
import type { WorkerSubject } from "./subjects/worker-subject.ts";
import type { Trees } from "./trees.ts";

/** What a case works with. */
export interface VfsContext {
  readonly report: Report;
  readonly trees: Trees;
  readonly tenrec: WorkerSubject;
  /** Tenrec and the peers that run in a Worker, in the order in which they are measured. */
  readonly workers: readonly WorkerSubject[];
  readonly ripgrep: Ripgrep;
  /** A folder for what a later run can use again. */
  readonly cache: string;
  /** From the command line. */
  readonly runs: number | undefined;
  readonly quick: boolean;
}

/** A case by the name that `--only` takes. */
export interface Case {
  readonly name: string;
  run(context: VfsContext): Promise<void>;
}

const QUICK_RUNS = 2;

/** How often a case is measured, unless the command line says less or more. */
export function turnsFor(
  { runs, quick }: Pick<VfsContext, "runs" | "quick">,
  plan: { readonly runs: number; readonly atLeast: number; readonly budgetMs: number },
): Turns {
  const most = runs ?? (quick ? Math.min(QUICK_RUNS, plan.runs) : plan.runs);
  return { ...plan, runs: most, atLeast: runs ?? plan.atLeast, now: () => performance.now() };
}

/** Measures contestants in turn and reports each of them under this name. */
export async function measureCase(
  context: VfsContext,
  name: string,
  contestants: readonly Contestant[],
  plan: Parameters<typeof turnsFor>[1],
): Promise<void> {
  const times = await measureInTurns(contestants, turnsFor(context, plan));
  for (const [subject, values] of times) context.report.measured(name, subject, values);
}
