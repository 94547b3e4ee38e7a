import { defineConfig } from "vitest/config";
import { nodeProject, workersProject } from "../../vitest.projects.ts";

// What claims to work in workerd too is tested there as well.
const workers = workersProject({
  main: "./vitest.worker.ts",
  durableObjects: {},
  include: ["src/**/*.provider.test.ts", "src/model/*.test.ts", "src/fakes/{clocks,scripted-executor}.test.ts"],
});

// Vitest loads a global setup in an environment of its own, which takes neither `resolve` nor `ssr` of the project.
const environments = { __vitest__: { resolve: { conditions: ["tenrec-source", "node", "module"] } } };
const projects = [nodeProject(), workers].map((project) => ({
  ...project,
  environments,
  test: { ...project.test, globalSetup: "./vitest.setup.ts" },
}));

export default defineConfig({ test: { name: "testkit", projects } });
