import { defineConfig } from "vitest/config";
import { nodeProject } from "../../vitest.projects.ts";

const { test, ...project } = nodeProject();

export default defineConfig({
  ...project,
  test: { ...test, name: "app-builder", include: ["start/**/*.test.ts"] },
});
