import { defineConfig } from "tsdown";

// The command runs from its sources, in a clone.
export default defineConfig({ workspace: { include: "packages/*", exclude: "packages/tenrec" } });
