import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { provideModelServer } from "@tenrec/testkit/server";
import type { TestProject } from "vitest/node";
import { startWebServer } from "./src/with-web-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Two servers of `with-web-server.ts`: one that agents may reach, and one of the network that they run in. */
    webHosts: { readonly web: string; readonly inside: string };
    modelServerUrl: string;
    /** What MODEL-FAULTS.md says, and whether to print what it should say. */
    faultTable: { readonly document: string; readonly print: boolean };
    /** Of every version of the journal, by its name, a session with calls, as JSON lines. */
    goldenJournals: readonly (readonly [version: string, lines: string])[];
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [web, inside] = await Promise.all([startWebServer(), startWebServer()]);
  project.provide("webHosts", { web: web.host, inside: inside.host });
  const document = readFileSync(join(import.meta.dirname, "MODEL-FAULTS.md"), "utf8");
  project.provide("faultTable", { document, print: process.env["TENREC_FAULT_TABLE"] === "print" });
  const golden = join(import.meta.dirname, "src", "golden");
  const versions = readdirSync(golden).filter((name) => /^v\d+$/.test(name));
  const linesOf = (version: string): string => readFileSync(join(golden, version, "tools.jsonl"), "utf8");
  project.provide(
    "goldenJournals",
    versions.map((version) => [version, linesOf(version)]),
  );
  const stopModels = await provideModelServer(project);
  return async () => {
    await Promise.all([stopModels(), web.stop(), inside.stop()]);
  };
}
