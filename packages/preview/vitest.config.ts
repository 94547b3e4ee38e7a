import { defineConfig } from "vitest/config";
import { nodeProject, workersProject } from "../../vitest.projects.ts";

const workers = workersProject({
  main: "./vitest.worker.ts",
  durableObjects: { TestAgent: "TestAgent", TEST_OBJECT: "TestObject" },
  workerLoaders: ["TEST_LOADER"],
  bindings: { TENREC_TOKEN: "test-token", TENREC_SECRET: "test-secret" },
  include: ["src/**/*.test.ts"],
});

// Vitest loads a global setup in an environment of its own, which takes neither `resolve` nor `ssr` of the project.
const setup = { environments: { __vitest__: { resolve: { conditions: ["tenrec-source", "node", "module"] } } } };

export default defineConfig({
  test: {
    name: "preview",
    projects: [nodeProject(), { ...workers, ...setup, test: { ...workers.test, globalSetup: "./vitest.setup.ts" } }],
  },
});
