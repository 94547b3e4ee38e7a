import { join } from "node:path";
import type { CleanUp } from "../frame/clean-up.ts";
import type { Options } from "../frame/parse-options.ts";
import type { Report } from "../frame/report.ts";
import { runFolder } from "../frame/run-folder.ts";
import { startWorkerSubject, type WorkerSubject } from "../frame/worker-subject.ts";
import { toolsCases } from "./cases.ts";
import { OBJECT, type ToolsContext } from "./context.ts";
import { treeFiles } from "./work.ts";

const SUBJECTS = ["tenrec", "computer", "just-bash"];

/** Tenrec's tools beside those of `@cloudflare/computer`, and just-bash on its own file system. */
export async function benchTools(options: Options, report: Report, cache: string, cleanUp: CleanUp): Promise<void> {
  const folder = runFolder(cache, cleanUp);
  report.say(`bundling ${SUBJECTS.length} Workers`);
  const start = (name: string): Promise<WorkerSubject> => {
    const entry = join(import.meta.dirname, `workers/${name}.worker.ts`);
    return startWorkerSubject({ name, entry, folder, cleanUp });
  };
  const subjects = await Promise.all(SUBJECTS.map(start));
  const files = treeFiles();
  for (const subject of subjects) await subject.post(OBJECT, "import", files);
  const { runs, quick } = options;
  const context: ToolsContext = { report, subjects, runs, quick };
  for (const each of toolsCases) {
    if (options.only.length > 0 && !options.only.includes(each.name)) continue;
    report.say(each.name);
    await each.run(context);
  }
  for (const subject of subjects) await subject.stop();
}
