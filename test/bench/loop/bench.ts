import { join } from "node:path";
import { modelServer } from "@tenrec/testkit";
import { listen } from "@tenrec/testkit/server";
import type { CleanUp } from "../frame/clean-up.ts";
import type { Options } from "../frame/parse-options.ts";
import type { Report } from "../frame/report.ts";
import { runFolder } from "../frame/run-folder.ts";
import { startWorkerSubject, type WorkerSubject } from "../frame/worker-subject.ts";
import { loopCases } from "./cases.ts";
import { type LoopContext, STEPS } from "./context.ts";
import { replayedAnswers } from "./replayed-answers.ts";
import { scriptOf } from "./work.ts";

const SUBJECTS = ["tenrec", "bare", "harness", "think"];

/** Tenrec's loop beside `streamText` alone, `AiSdkHarness` of `agents` and `@cloudflare/think`. */
export async function benchLoop(options: Options, report: Report, cache: string, cleanUp: CleanUp): Promise<void> {
  const folder = runFolder(cache, cleanUp);
  report.say(`bundling ${SUBJECTS.length} Workers`);
  const start = (name: string): Promise<WorkerSubject> => {
    const entry = join(import.meta.dirname, `workers/${name}.worker.ts`);
    return startWorkerSubject({ name, entry, folder, cleanUp });
  };
  const subjects = await Promise.all(SUBJECTS.map(start));
  const scripts = STEPS.map((steps) => scriptOf({ kind: "mixed", steps }));
  const server = await listen(replayedAnswers(modelServer(scripts)));
  const { runs, quick } = options;
  const context: LoopContext = { report, subjects, server: server.url, runs, quick };
  for (const each of loopCases) {
    if (options.only.length > 0 && !options.only.includes(each.name)) continue;
    report.say(each.name);
    await each.run(context);
  }
  await server.close();
  for (const subject of subjects) await subject.stop();
}
