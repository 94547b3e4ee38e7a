import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/** Runs vitest over all projects and resolves with the sums of its own JSON report: `{ passed, failed, skipped }`. */
export async function runVitest(root, args) {
  const report = join(root, ".cache", "reports", "vitest.json");
  mkdirSync(dirname(report), { recursive: true });
  // An old report must not stand in for one that this run fails to write.
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const code = await run(join(root, "node_modules", ".bin", "vitest"), ["run", ...reporters, ...args], root);
  return sums(readReport(report), code);
}

function run(command, args, cwd) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, stdio: "inherit" });
    child.on("error", () => resolve(-1));
    child.on("close", (code) => resolve(code ?? -1));
  });
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** Adds up a report. Whatever makes vitest fail counts, though no test of its list did. */
function sums(report, code) {
  if (!report) return { passed: 0, failed: 1, skipped: 0, note: "vitest wrote no report" };
  const passed = report.numPassedTests;
  const skipped = report.numPendingTests + report.numTodoTests;
  // A file that cannot be loaded has no tests to fail.
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  );
  const failed = report.numFailedTests + broken.length;
  if (passed + failed === 0) return { passed, failed: 1, skipped, note: "vitest ran no tests" };
  if (failed === 0 && code !== 0) return { passed, failed: 1, skipped, note: `vitest failed with code ${code}` };
  return { passed, failed, skipped };
}
