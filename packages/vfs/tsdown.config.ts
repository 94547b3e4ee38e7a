import { defineConfig } from "tsdown";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    "folder/index": "src/folder/index.ts",
    "git/index": "src/git/index.ts",
    "shell/index": "src/shell/index.ts",
    "testing/index": "src/testing/index.ts",
  },
  format: "esm",
  platform: "neutral",
  dts: true,
  publint: true,
  attw: { profile: "esm-only", level: "error" },
  deps: { neverBundle: [/^cloudflare:/, /^node:/] },
});
