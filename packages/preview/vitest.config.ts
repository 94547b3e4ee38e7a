import { defineConfig } from "vitest/config";
import { nodeProject, workersProject } from "../../vitest.projects.ts";

const AGENT_TEST = "src/agent.workers.test.ts";

const workers = workersProject({
  main: "./vitest.worker.ts",
  durableObjects: { TEST_OBJECT: "TestObject" },
  workerLoaders: ["TEST_LOADER"],
  include: ["src/**/*.test.ts"],
});

// Vitest sends all modules that it knows of to each further file of a project, in one message of at most 32 MiB. Those of
// the runtime and of this package together have more, so the test that needs both has a project.
const agent = workersProject({
  main: "./vitest.agent.worker.ts",
  durableObjects: { TestAgent: "TestAgent" },
  workerLoaders: ["TEST_LOADER"],
  bindings: { TENREC_TOKEN: "test-token", TENREC_SECRET: "test-secret" },
  include: [AGENT_TEST],
});

// Vitest loads a global setup in an environment of its own, which takes neither `resolve` nor `ssr` of the project.
const setup = { environments: { __vitest__: { resolve: { conditions: ["tenrec-source", "node", "module"] } } } };
const exclude = [...(workers.test?.exclude ?? []), AGENT_TEST];

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
