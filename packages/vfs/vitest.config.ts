import { defineConfig } from "vitest/config";
import { nodeProject, workersProject } from "../../vitest.projects.ts";

// Every test runs twice: on the store of with-store.ts in Node, and on that of its twin in a real Durable Object.
const workers = workersProject({
  main: "./vitest.worker.ts",
  durableObjects: { TEST_OBJECT: "TestObject" },
  include: ["src/**/*.test.ts"],
  alias: [{ find: /^(\..*\/with-store)\.ts$/, replacement: "$1.workers.ts" }],
});

// A test of a repository is many statements and processes: on a busy machine, five seconds are not enough for some.
const projects = [nodeProject(), workers].map((project) => ({
  ...project,
  test: { ...project.test, globalSetup: "./vitest.setup.ts", testTimeout: 60_000 },
}));

export default defineConfig({ test: { name: "vfs", projects } });
