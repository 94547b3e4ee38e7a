import type { KillPoint } from "./kill-points.ts";

/** What was found out, to be held against the list of points. */
export interface Findings {
  /** Tests that ran, as `file title`. */
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  /** Violations of the simulation, by invariant; all of them are named. */
  readonly violations: ReadonlyMap<string, number>;
  /** Points at which workerd was killed, and came back as it must. */
  readonly survived: ReadonlySet<string>;
}

/** Why a point is not covered; empty when it is. One that nothing shows is not. */
export function uncovered({ shown }: KillPoint, findings: Findings): string[] {
  const { violations, survived } = findings;
  if (shown.length === 0) return ["nothing shows it"];
  return shown.flatMap((each) => {
    switch (each.by) {
      case "simulation":
        return violations.get(each.invariant) === 0 ? [] : [`${each.invariant} is violated`];
      case "SIGKILL":
        return survived.has(each.point) ? [] : [`not survived: ${each.point}`];
      case "abort":
      case "test":
        return hasPassed(each, findings) ? [] : [`not passed: ${each.title}`];
      case "nothing":
        return [];
    }
  });
}

/** Titles of tests with rows have one of these in the place of a value. */
const VALUES = /%s|\$name/;

/** All rows of a test have, and there is one. */
function hasPassed(shown: { readonly file: string; readonly title: string }, { passed, failed }: Findings): boolean {
  const [start = "", end = ""] = `${shown.file} ${shown.title}`.split(VALUES);
  const isOf = (name: string): boolean =>
    VALUES.test(shown.title) ? name.startsWith(start) && name.endsWith(end) : name === start;
  return passed.some(isOf) && !failed.some(isOf);
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

/** The tests of vitest's own JSON report; files are named from `root` on. */
export function ranTests(report: Report, root: string): Pick<Findings, "passed" | "failed"> {
  const named = (wanted: string): string[] =>
    report.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === wanted)
        .map(({ title }) => `${name.replace(`${root}/`, "")} ${title}`),
    );
  return { passed: named("passed"), failed: named("failed") };
}
