import type { ZooResult } from "./run-zoo.ts";

/** A row of the table, with what is wrong below it. */
export function zooLine({ app, check, problems }: ZooResult): string {
  const state = problems.length === 0 ? "same     " : "different";
  return [
    `${app.padEnd(APP_WIDTH)} ${state}  ${check}`,
    ...problems.map((text) => `    ${text.replaceAll("\n", "\n      ")}`),
  ].join("\n");
}

/** How many of each app's checks came out the same, then all together. */
export function zooTotals(results: readonly ZooResult[]): string[] {
  const apps = [...new Set(results.map(({ app }) => app))];
  const rows = apps.map((app) => {
    const own = results.filter((result) => result.app === app);
    return `${app.padEnd(APP_WIDTH)} ${passedOf(own)} of ${own.length}`;
  });
  const passed = passedOf(results);
  return ["", ...rows, `${passed} passed, ${results.length - passed} failed`];
}

const APP_WIDTH = 38;

function passedOf(results: readonly ZooResult[]): number {
  return results.filter(({ problems }) => problems.length === 0).length;
}
