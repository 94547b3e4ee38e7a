import type { KillPoint } from "./kill-points.ts";

/** What was found out, to be held against the list of points. */
export interface Findings {
  /** Tests that passed, as `file title`. */
  readonly passed: readonly string[];
  /** Violations of the simulation, by invariant; all of them are named. */
  readonly violations: ReadonlyMap<string, number>;
  /** Points at which workerd was killed, and came back as it must. */
  readonly survived: ReadonlySet<string>;
}

/** Why a point is not covered; empty when it is. One that nothing shows is not. */
export function uncovered({ shown }: KillPoint, { passed, violations, survived }: Findings): string[] {
  if (shown.length === 0) return ["nothing shows it"];
  return shown.flatMap((each) => {
    switch (each.by) {
      case "simulation":
        return violations.get(each.invariant) === 0 ? [] : [`${each.invariant} is violated`];
      case "SIGKILL":
        return survived.has(each.point) ? [] : [`not survived: ${each.point}`];
      case "test":
        return passed.some((name) => isOf(name, each)) ? [] : [`not passed: ${each.title}`];
    }
  });
}

/** A title with `%s` stands for each of its rows. */
function isOf(name: string, { file, title }: { readonly file: string; readonly title: string }): boolean {
  const parts = `${file} ${title}`.split("%s");
  return name.startsWith(parts[0] ?? "") && name.endsWith(parts.at(-1) ?? "");
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

/** The tests that passed, in vitest's own JSON report; files are named from `root` on. */
export function passedTests(report: Report, root: string): string[] {
  return report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "passed")
      .map(({ title }) => `${name.replace(`${root}/`, "")} ${title}`),
  );
}
