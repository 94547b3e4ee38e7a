import { join } from "node:path";
import type { CleanUp } from "../../frame/clean-up.ts";
import { startWorkerSubject } from "../../frame/worker-subject.ts";
import type { AppFile } from "../app/app-file.ts";
import type { PreviewSubject } from "../context.ts";

/** `createWorker` in an object of the same kind of workerd, which makes the app anew when a file has changed. */
export async function startWorkerBundler(folder: string, cleanUp: CleanUp): Promise<PreviewSubject> {
  const entry = join(import.meta.dirname, "../workers/worker-bundler.worker.ts");
  const bindings = [`(name = "LOADER", workerLoader = (id = "apps"))`];
  const subject = await startWorkerSubject({ name: "worker-bundler", entry, folder, bindings, cleanUp });
  const save = async (name: string, files: readonly AppFile[]): Promise<void> =>
    void (await subject.post(name, "save", files));
  return {
    name: subject.name,
    async open(name, files) {
      await save(name, files);
      return {
        save: (file) => save(name, [file]),
        ask: async (path) => (await fetch(`${subject.url()}/${name}/show${path}`)).text(),
        close: async () => {},
      };
    },
    restart: () => subject.restart(),
    stop: () => subject.stop(),
  };
}
