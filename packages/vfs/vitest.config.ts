import { defineConfig } from "vitest/config";
import { nodeProject, workersProject } from "../../vitest.projects.ts";

// Every test runs twice: on the stores of with-*.ts in Node, and on those of their twins in a real Durable Object.
const workers = workersProject({
  main: "./vitest.worker.ts",
  durableObjects: { TEST_OBJECT: "TestObject", TEST_SOURCE: "TestSource" },
  r2Buckets: ["TEST_BUCKET"],
  bindings: { TENREC_SEED: process.env["TENREC_SEED"] ?? "", TENREC_CRASH: process.env["TENREC_CRASH"] ?? "" },
  include: ["src/**/*.test.ts"],
  alias: [{ find: /^(\..*\/with-(?:store|bucket|source))\.ts$/, replacement: "$1.workers.ts" }],
});

const projects = [nodeProject(), workers].map((project) => ({
  ...project,
  test: { ...project.test, globalSetup: "./vitest.setup.ts" },
}));

export default defineConfig({ test: { name: "vfs", projects } });
