import { relativeName } from "../graph/module-name.ts";
import type { BindingList } from "../inside/gateway-binding.ts";
import type { StorageKind } from "../storage/storage-kind.ts";

/** The module that is loaded: the app's entry, with its classes and its `fetch` made fit to be hosted. */
export const ENTRY_NAME = "tenrec/entry.js";

/** Where the modules of `src/inside` are. */
export const INSIDE = "tenrec/inside/";

/** The class of the entry that the host calls itself. */
export const HOST_ENTRYPOINT = "TenrecPreviewHost";

const STORAGES: readonly StorageKind[] = ["kv", "d1", "r2"];

/** The kinds of storage that an app is bound to. */
function boundStorages(bindings: BindingList): readonly StorageKind[] {
  return STORAGES.filter((kind) => bindings[kind].length > 0);
}

/** Whether an app needs a module of `src/inside`: those named after a kind of storage are for the apps that have it. */
export function isNeeded(name: string, bindings: BindingList): boolean {
  const of = STORAGES.find((kind) => name.startsWith(`${kind}-`) || name === `adopt-${kind}.ts`);
  return of === undefined || boundStorages(bindings).includes(of);
}

/** The text of the entry. `main` is the name of the app's own entry; `classes` are those of its Durable Objects. */
export function entryText(main: string, classes: readonly string[], bindings: BindingList): string {
  const from = JSON.stringify(relativeName(ENTRY_NAME, main));
  // Ours goes first: by the time the app's modules run, the environment is theirs.
  return [
    `import * as inside from "./inside/main.ts";`,
    ...boundStorages(bindings).map((kind) => `import "./inside/adopt-${kind}.ts";`),
    `import * as app from ${from};`,
    `import { WorkerEntrypoint } from "cloudflare:workers";`,
    `export * from ${from};`,
    `export default inside.worker(app);`,
    ...classes.map((name, index) => `const c${index} = inside.object(app, ${JSON.stringify(name)});`),
    ...classes.map((name, index) => `export { c${index} as ${name} };`),
    `export class ${HOST_ENTRYPOINT} extends WorkerEntrypoint {`,
    `  runScheduled(cron, time) { return inside.runScheduled(app, cron, time, this.env, this.ctx); }`,
    `}`,
    ``,
  ].join("\n");
}
