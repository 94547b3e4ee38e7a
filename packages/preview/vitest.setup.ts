import type { TestProject } from "vitest/node";
import { realAnswers } from "./src/bindings/with-real-bindings.ts";
import { startNpmServer } from "./src/deps/with-npm-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A registry with the packages that are installed here for tests. */
    npmServer: string;
    /** What the cases of `with-binding-cases.ts` answer with miniflare's bindings. */
    realAnswers: Record<string, unknown>;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startNpmServer(import.meta.dirname, [
    "hono",
    "itty-router",
    "preact",
    "preact-render-to-string",
    "react",
    "react-dom",
    "svelte",
    "tailwindcss",
    "vue",
    // Of what several need in several versions, the first one's is there; Babel runs nothing of what it says to need.
    "@babel/standalone",
  ]);
  project.provide("npmServer", server.url);
  project.provide("realAnswers", await realAnswers());
  return () => server.stop();
}
