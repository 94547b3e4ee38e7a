import { join } from "node:path";
import { bundleWorker } from "../../frame/bundle-worker.ts";
import type { CleanUp } from "../../frame/clean-up.ts";
import { startWorkerd } from "../../frame/workerd.ts";
import type { AppFile } from "../app/app-file.ts";
import type { PreviewSubject } from "../context.ts";

/** `createWorker` in an object of the same kind of workerd, which makes the app anew when a file has changed. */
export async function startWorkerBundler(folder: string, cleanUp: CleanUp): Promise<PreviewSubject> {
  const bundle = join(folder, "worker-bundler", "bundle");
  const module = await bundleWorker(join(import.meta.dirname, "../workers/worker-bundler.worker.ts"), bundle);
  const state = join(folder, "worker-bundler", "state");
  const bindings = [`(name = "LOADER", workerLoader = (id = "apps"))`];
  const start = (): ReturnType<typeof startWorkerd> =>
    startWorkerd({ folder: bundle, module, state, bindings, cleanUp });
  let workerd = await start();
  const save = async (name: string, files: readonly AppFile[]): Promise<void> => {
    const response = await fetch(`${workerd.url}/${name}/save`, { method: "POST", body: JSON.stringify(files) });
    if (!response.ok) throw new Error(`worker-bundler: ${await response.text()}`);
  };
  return {
    name: "worker-bundler",
    async open(name, files) {
      await save(name, files);
      return {
        save: (file) => save(name, [file]),
        ask: async (path) => (await fetch(`${workerd.url}/${name}/show${path}`)).text(),
        close: async () => {},
      };
    },
    async restart() {
      await workerd.stop();
      workerd = await start();
    },
    stop: () => workerd.stop(),
  };
}
