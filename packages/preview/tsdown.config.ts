import { defineConfig } from "tsdown";

export default defineConfig({
  entry: { index: "src/index.ts" },
  format: "esm",
  platform: "neutral",
  dts: true,
  publint: true,
  attw: { profile: "esm-only", level: "error" },
  deps: { neverBundle: [/^cloudflare:/, /^node:/] },
});
