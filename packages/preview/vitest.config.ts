import { defineConfig } from "vitest/config";
import { nodeProject, workersProject } from "../../vitest.projects.ts";

const AGENT_TESTS = "src/agent*.workers.test.ts";

const workers = workersProject({
  main: "./vitest.worker.ts",
  durableObjects: { TEST_OBJECT: "TestObject" },
  workerLoaders: ["TEST_LOADER"],
  include: ["src/**/*.test.ts"],
});

// Every file of a project loads its main module anew, so the tests that need the runtime have a project.
const agent = workersProject({
  main: "./vitest.agent.worker.ts",
  durableObjects: { TestAgent: "TestAgent" },
  workerLoaders: ["TEST_LOADER"],
  bindings: { TENREC_TOKEN: "test-token", TENREC_SECRET: "test-secret" },
  include: [AGENT_TESTS],
});

// Vitest loads a global setup in an environment of its own, which takes neither `resolve` nor `ssr` of the project.
const setup = { environments: { __vitest__: { resolve: { conditions: ["tenrec-source", "node", "module"] } } } };
const exclude = [...(workers.test?.exclude ?? []), AGENT_TESTS];

export default defineConfig({
  test: {
    name: "preview",
    projects: [
      nodeProject(),
      { ...workers, ...setup, test: { ...workers.test, exclude, globalSetup: "./vitest.setup.ts" } },
      { ...agent, test: { ...agent.test, name: "agent" } },
    ],
  },
});
