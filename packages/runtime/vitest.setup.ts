import { readFileSync } from "node:fs";
import { join } from "node:path";
import { provideModelServer } from "@tenrec/testkit/server";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    modelServerUrl: string;
    /** What MODEL-FAULTS.md says, and whether to print what it should say. */
    faultTable: { readonly document: string; readonly print: boolean };
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const document = readFileSync(join(import.meta.dirname, "MODEL-FAULTS.md"), "utf8");
  project.provide("faultTable", { document, print: process.env["TENREC_FAULT_TABLE"] === "print" });
  return provideModelServer(project);
}
