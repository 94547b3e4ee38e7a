import { INSIDE_MODULES } from "../load/isolate-modules.ts";
import { bindingList } from "../load/binding-list.ts";
import { ENTRY_NAME, entryText, INSIDE, isNeeded } from "../load/entry-text.ts";
import type { WorkerApp } from "./built-app.ts";

/** For each request, so that an app without an end is stopped; local workerd keeps to no limit. */
const LIMITS = { cpuMs: 10_000, subRequests: 500 } as const;

/** What the Worker Loader is given for an app. `outbound` is where its requests to the network go; null for nowhere. */
export function workerCode(app: WorkerApp, gateway: Fetcher, outbound: Fetcher | null): WorkerLoaderWorkerCode {
  const { config } = app;
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
    env: { ...config.vars, TENREC_PREVIEW: gateway, TENREC_BINDINGS: bindings },
    globalOutbound: outbound,
    limits: LIMITS,
    tails: [gateway],
  };
}
