import type { CleanUp } from "../frame/clean-up.ts";
import type { Options } from "../frame/parse-options.ts";
import type { Report } from "../frame/report.ts";
import { runFolder } from "../frame/run-folder.ts";
import { previewCases } from "./cases.ts";
import type { PreviewContext } from "./context.ts";
import { devServerSubject, VITE, WRANGLER } from "./subjects/dev-server.ts";
import { startTenrec } from "./subjects/tenrec.ts";
import { startWorkerBundler } from "./subjects/worker-bundler.ts";

/** Previews beside `@cloudflare/worker-bundler`, `wrangler dev`, and `vite` with `@cloudflare/vite-plugin`. */
export async function benchPreview(options: Options, report: Report, cache: string, cleanUp: CleanUp): Promise<void> {
  const folder = runFolder(cache, cleanUp);
  report.say("bundling 2 Workers");
  const [tenrec, bundler] = await Promise.all([startTenrec(folder, cleanUp), startWorkerBundler(folder, cleanUp)]);
  const servers = [WRANGLER, VITE].map((server) => devServerSubject(server, folder, cleanUp));
  const subjects = [tenrec, bundler, ...servers];
  const { runs, quick } = options;
  const context: PreviewContext = { report, subjects, tenrec, folder, cleanUp, runs, quick };
  for (const each of previewCases) {
    if (options.only.length > 0 && !options.only.includes(each.name)) continue;
    report.say(each.name);
    await each.run(context);
  }
  for (const subject of subjects) await subject.stop();
}
