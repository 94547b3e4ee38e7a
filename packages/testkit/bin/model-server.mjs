#!/usr/bin/env node
import * as module from "node:module";
import { parseArgs } from "node:util";

if (!module.registerHooks) {
  console.error("model-server: needs Node 22.18 or newer. In a clone: npm run model-server -- <script.json>");
  process.exit(1);
}

// In the workspace nothing is built: this condition leads to the TypeScript files, which Node runs as they are. Published
// packages do not have it.
module.registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, { ...context, conditions: [...context.conditions, "tenrec-source"] }),
});
const { serveScripts } = await import("@tenrec/testkit/server");

const USAGE = "usage: model-server <script.json>... [--port <port>] [--api-key <key>]";
try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { port: { type: "string", default: "0" }, "api-key": { type: "string" } },
  });
  if (positionals.length === 0) throw new Error(USAGE);
  const { url } = await serveScripts(positionals, { port: Number(values.port), apiKey: values["api-key"] });
  console.log(`${url}/v1`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
