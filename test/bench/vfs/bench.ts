import { join } from "node:path";
import type { CleanUp } from "../frame/clean-up.ts";
import type { Options } from "../frame/parse-options.ts";
import type { Report } from "../frame/report.ts";
import { runFolder } from "../frame/run-folder.ts";
import { vfsCases } from "./cases.ts";
import type { VfsContext } from "./context.ts";
import { assembleTree, totalBytes } from "./corpus/assemble-tree.ts";
import { everyNth } from "./corpus/derived-trees.ts";
import { folderWith } from "./corpus/folder-tree.ts";
import { createRipgrep } from "./subjects/ripgrep.ts";
import { startWorkerSubject } from "../frame/worker-subject.ts";
import { measureWays } from "./measure-ways.ts";
import { createTrees } from "./trees.ts";

/** A quick run looks at every twentieth file. */
const QUICK_STEP = 20;

/** The tree of `@tenrec/vfs` beside `@cloudflare/shell`, `@cloudflare/computer` and ripgrep. */
export async function benchVfs(options: Options, report: Report, cache: string, cleanUp: CleanUp): Promise<void> {
  const say = (line: string): void => report.say(line);
  const all = await assembleTree(cache, say);
  const files = options.quick ? everyNth(all, QUICK_STEP) : all;
  report.say(`the tree: ${files.length} files, ${(totalBytes(files) / 1e6).toFixed(1)} MB`);

  const folder = runFolder(cache, cleanUp);
  report.say("bundling three Workers");
  const start = (name: string) =>
    startWorkerSubject({ name, entry: join(import.meta.dirname, `workers/${name}.worker.ts`), folder, cleanUp });
  const [tenrec, shell, computer] = await Promise.all([start("tenrec"), start("shell"), start("computer")]);
  const workers = [tenrec, shell, computer];
  const ripgrep = createRipgrep(await folderWith(cache, "no-files", []));
  const trees = createTrees({ files, name: options.quick ? "quick" : "full", cache, workers, say });
  const { runs, quick } = options;
  const context: VfsContext = { report, trees, tenrec, workers, ripgrep, cache, runs, quick };

  await measureWays(context);
  for (const each of vfsCases) {
    if (options.only.length > 0 && !options.only.includes(each.name)) continue;
    report.say(each.name);
    await each.run(context);
  }
  for (const worker of workers) await worker.stop();
}
