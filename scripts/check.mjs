// Lint, format, types, unused code and package checks; one line each, and the output of those that fail.
import { join } from "node:path";
import { runSteps } from "./check/run-steps.mjs";

const { failed } = await runSteps(join(import.meta.dirname, ".."));
process.exitCode = failed > 0 ? 1 : 0;
