import type { TestProject } from "vitest/node";
import { type GitServerInfo, startGitServer } from "./src/git/with-http-backend.ts";

declare module "vitest" {
  interface ProvidedContext {
    gitServer: GitServerInfo;
  }
}

/** Runs git's own server beside the tests, those in workerd included. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { info, close } = await startGitServer();
  project.provide("gitServer", info);
  return close;
}
