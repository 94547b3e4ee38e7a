import { provideModelServer } from "./src/server/provide-model-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    modelServerUrl: string;
  }
}

export const setup: typeof provideModelServer = provideModelServer;
