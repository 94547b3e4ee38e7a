import { INSIDE_MODULES } from "../load/isolate-modules.ts";
import { bindingList } from "../load/binding-list.ts";
import { ENTRY_NAME, entryText, INSIDE, isNeeded } from "../load/entry-text.ts";
import type { PreviewLimits } from "../load/limits.ts";
import type { WorkerApp } from "./built-app.ts";

export interface WorkerCodeOptions {
  readonly gateway: Fetcher;
  /** Where requests to the network go; null for nowhere. */
  readonly outbound: Fetcher | null;
  readonly limits: PreviewLimits;
}

/** What the Worker Loader is given for an app. */
export function workerCode(app: WorkerApp, { gateway, outbound, limits }: WorkerCodeOptions): WorkerLoaderWorkerCode {
  const { config } = app;
  const { cpuMs, subRequests } = limits;
  const classes = [...new Set(config.durableObjects.map(({ className }) => className))];
  const bindings = bindingList(config);
  const modules: WorkerLoaderWorkerCode["modules"] = { [ENTRY_NAME]: { js: entryText(app.main, classes, bindings) } };
  // What is loaded is also compiled, whether somebody imports it or not.
  for (const [name, js] of INSIDE_MODULES) if (isNeeded(name, bindings)) modules[INSIDE + name] = { js };
  for (const [name, content] of app.modules) modules[name] = content;
  return {
    compatibilityDate: config.compatibilityDate,
    compatibilityFlags: [...config.compatibilityFlags],
    mainModule: ENTRY_NAME,
    modules,
    env: { ...config.vars, TENREC_PREVIEW: gateway, TENREC_BINDINGS: bindings, TENREC_CPU_MS: cpuMs },
    globalOutbound: outbound,
    limits: { cpuMs, subRequests },
    tails: [gateway],
  };
}
