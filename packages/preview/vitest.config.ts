import { defineConfig } from "vitest/config";
import { nodeProject, workersProject } from "../../vitest.projects.ts";

const workers = workersProject({
  main: "./vitest.worker.ts",
  durableObjects: { TEST_OBJECT: "TestObject", TEST_STORAGE: "PreviewStorage" },
  workerLoaders: ["TEST_LOADER"],
  include: ["src/**/*.test.ts"],
});

export default defineConfig({ test: { name: "preview", projects: [nodeProject(), workers] } });
