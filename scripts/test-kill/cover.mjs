import { readFileSync } from "node:fs";
import { join } from "node:path";
import { INVARIANTS } from "../../packages/runtime/src/simulation/with-invariants.ts";
import { simulate } from "../../packages/runtime/src/simulation/with-run.ts";
import { passedTests, uncovered } from "../../test/kill/cover-points.ts";
import { killPoints } from "../../test/kill/kill-points.ts";
import { runVitest } from "../test/vitest.mjs";

/** Owners whose part is there: a point of theirs that is not covered is a failure. */
const BUILT = ["turns", "tree"];

/**
 * Runs the tests and the seeds that show points, and says for each owner how many are covered. `survived` has the names of the
 * points at which workerd was killed and came back as it must.
 */
export async function coverPoints(root, { survived, firstSeed, seeds }) {
  const files = killPoints.flatMap(({ shown }) => shown.flatMap((each) => (each.by === "test" ? [each.file] : [])));
  await runVitest(root, [...new Set(files)]);
  const report = JSON.parse(readFileSync(join(root, ".cache", "reports", "vitest.json"), "utf8"));
  const violations = new Map(Object.keys(INVARIANTS).map((name) => [name, 0]));
  let deaths = 0;
  for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
    const outcome = await simulate(seed);
    deaths += outcome.kills;
    for (const [name, wrong] of Object.entries(outcome.violations)) {
      violations.set(name, violations.get(name) + wrong.length);
      console.log(`TENREC_SEED=${seed} violates ${name}: ${wrong[0]}`);
    }
  }
  const findings = { passed: passedTests(report, root), violations, survived };
  const points = killPoints.map((point) => ({ ...point, missing: uncovered(point, findings) }));
  const lines = points.flatMap(({ id, title, owner, missing }) =>
    missing.length > 0 ? [`? ${owner}: ${id} ${title}`, ...missing.map((text) => `    ${text}`)] : [],
  );
  const owners = [...new Set(points.map(({ owner }) => owner))].map((owner) => {
    const owned = points.filter((point) => point.owner === owner);
    return `${owner} ${owned.filter(({ missing }) => missing.length === 0).length} of ${owned.length}`;
  });
  const failed = points.filter(({ owner, missing }) => BUILT.includes(owner) && missing.length > 0).length;
  const counts = [...violations].map(([name, count]) => `${name} ${count}`).join(", ");
  const last = `points covered: ${owners.join(", ")}; violations in ${seeds} seeds with ${deaths} deaths: ${counts}`;
  return { lines, last, failed };
}
