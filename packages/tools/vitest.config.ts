import { defineConfig } from "vitest/config";
import { nodeProject, workersProject } from "../../vitest.projects.ts";

// Every test runs twice: on the storage of with-storage.ts in Node, and on that of its twin in a real Durable Object.
const workers = workersProject({
  main: "./vitest.worker.ts",
  durableObjects: { TEST_OBJECT: "TestObject" },
  include: ["src/**/*.test.ts"],
  alias: [{ find: /^(\..*\/with-storage)\.ts$/, replacement: "$1.workers.ts" }],
});

export default defineConfig({ test: { name: "tools", projects: [nodeProject(), workers] } });
