import { defineConfig } from "vitest/config";
import { nodeProject } from "../../vitest.projects.ts";

export default defineConfig({ test: { name: "protocol", projects: [nodeProject()] } });
