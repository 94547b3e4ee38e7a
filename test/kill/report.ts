import { type Findings, uncovered } from "./cover-points.ts";
import { BUILT, type KillPoint } from "./kill-points.ts";
import type { Outcome } from "./run-points.ts";

/** What one run of the suite has found. */
export interface Run {
  readonly tests: Pick<Findings, "passed" | "failed">;
  /** Of each point at which workerd was to be killed. */
  readonly outcomes: readonly Outcome[];
  /** What the seeds violate, by invariant. Without those that were not judged. */
  readonly simulated: { readonly [invariant: string]: readonly string[] };
}

export interface Report {
  readonly lines: readonly string[];
  readonly last: string;
  /** Points that are not covered, and whose part is there. */
  readonly failed: number;
}

interface Judged extends KillPoint {
  readonly missing: readonly string[];
}

/** Holds points against a run: which are covered and which are not, and how often each invariant was violated. */
export function reportOf(points: readonly KillPoint[], { tests, outcomes, simulated }: Run): Report {
  const survived = new Set(outcomes.filter(isGood).map(({ name }) => name));
  const violations = new Map(Object.entries(simulated).map(([name, wrong]) => [name, wrong.length]));
  const judged = points.map((point) => ({ ...point, missing: uncovered(point, { ...tests, violations, survived }) }));
  const built = judged.filter(({ owner }) => BUILT.includes(owner));
  const all = [
    ...outcomes.flatMap((outcome) => outcome.violations),
    ...Object.entries(simulated).flatMap(([name, wrong]) => wrong.map(() => name)),
  ];
  return {
    failed: built.filter(({ missing }) => missing.length > 0).length,
    lines: [...judged.flatMap(linesOf), ...(built.length > 0 ? waysOf(built) : [])],
    last: `points covered: ${coverageOf(judged)}; violations: ${countsOf(all)}`,
  };
}

/** A point that was reached, and after which everything was as it must be. */
export function isGood({ isCovered, violations }: Outcome): boolean {
  return isCovered && violations.length === 0;
}

function linesOf({ id, title, owner, shown, missing }: Judged): string[] {
  const without = shown.flatMap((each) => (each.by === "nothing" ? [`    no ${each.instead}: ${each.because}`] : []));
  if (missing.length + without.length === 0) return [];
  const mark = missing.length > 0 ? "?" : "✓";
  return [`${mark} ${owner}: ${id} ${title}`, ...missing.map((text) => `    ${text}`), ...without];
}

/** How many points are shown in each way, by all that shows them. */
function waysOf(points: readonly Judged[]): string[] {
  return ["simulation", "abort", "SIGKILL"].map((way) => {
    const shown = points.filter((point) => point.shown.some(({ by }) => by === way));
    const covered = shown.filter(({ missing }) => missing.length === 0);
    return `by ${way}: ${covered.length} of ${shown.length}, of ${points.length} points that are there`;
  });
}

function coverageOf(points: readonly Judged[]): string {
  const owners = [...new Set(points.map(({ owner }) => owner))].map((owner) => {
    const owned = points.filter((point) => point.owner === owner);
    return `${owner} ${owned.filter(({ missing }) => missing.length === 0).length} of ${owned.length}`;
  });
  return owners.join(", ") || "none of K1 to K28 was asked for";
}

/** Each violation begins with the name of its invariant, I1 to I10. */
function countsOf(violations: readonly string[]): string {
  const counts = new Map(Array.from({ length: 10 }, (_, i) => [`I${i + 1}`, 0]));
  for (const violation of violations) {
    const [name = ""] = violation.split(":");
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${name} ${count}`).join(", ");
}
