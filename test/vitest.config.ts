import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { name: "test", include: ["*.test.ts", "bench/**/*.test.ts", "zoo/*.test.ts"] },
});
