import { modelServer } from "../model-server.ts";
import { listen } from "./listen.ts";

/** The part of Vitest's global setup context that is used. */
export interface SetupContext {
  provide(key: "modelServerUrl", value: string): void;
}

/**
 * A `globalSetup` for Vitest: runs a model server without scripts, and provides its URL as `modelServerUrl` to every
 * test, those in workerd included. Tests bring their scripts with `modelServerClient`.
 */
export async function provideModelServer(project: SetupContext): Promise<() => Promise<void>> {
  const { url, close } = await listen(modelServer([]));
  project.provide("modelServerUrl", url);
  return close;
}
