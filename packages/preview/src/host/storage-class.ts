import { sha256Sync } from "../inside/sha256-sync.ts";
import { STORAGE_MODULES } from "../load/isolate-modules.ts";

const DATE = "2026-10-01";

/** For one statement of an app and what goes with it. */
const MOST_CPU_MS = 5000;

/** The loader's id, 64 hex digits, for what the apps of one session store: an isolate that they share with nobody, and not with their code. */
export function storageWorker(object: string, session: string): string {
  // One id must always mean the same code.
  const version = sha256Sync([...STORAGE_MODULES.values()].join("\n"));
  return sha256Sync(JSON.stringify(["storage", object, session, version]));
}

/** The class that keeps it. */
export function storageClass(loader: WorkerLoader, id: string): DurableObjectClass {
  const code = (): WorkerLoaderWorkerCode => ({
    compatibilityDate: DATE,
    mainModule: "storage/preview-storage.ts",
    modules: Object.fromEntries(Array.from(STORAGE_MODULES, ([name, js]) => [`storage/${name}`, { js }])),
    globalOutbound: null,
    limits: { cpuMs: MOST_CPU_MS },
  });
  return loader.get(id, code).getDurableObjectClass("PreviewStorage");
}
