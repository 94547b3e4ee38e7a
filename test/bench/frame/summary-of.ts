import type { Goal } from "./rows.ts";

/** What a person reads at the end. */
export function summaryOf(goals: readonly Goal[], failures: readonly string[]): string[] {
  const missed = goals.filter(({ met }) => !met);
  return [
    `${goals.length - missed.length} of ${goals.length} goals met`,
    ...missed.map(({ case: name, peer, ratio, goal }) => `  missed: ${name} against ${peer}: ${ratio}, not ${goal}`),
    ...failures.map((failure) => `  wrong: ${failure}`),
  ];
}
