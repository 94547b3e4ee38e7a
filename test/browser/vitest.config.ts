import { join } from "node:path";
import { defineConfig } from "vitest/config";

// Vitest loads a global setup in an environment of its own, which takes neither `resolve` nor `ssr` of the project.
const conditions = ["tenrec-source", "node", "module"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  environments: { __vitest__: { resolve: { conditions } } },
  test: {
    name: "browser",
    environment: "node",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    include: ["*.test.ts"],
    globalSetup: join(import.meta.dirname, "vitest.setup.ts"),
  },
});
