import { join } from "node:path";
import { measureCase } from "../../frame/measure-case.ts";
import type { Contestant } from "../../frame/measure-in-turns.ts";
import { startWorkerSubject } from "../../frame/worker-subject.ts";
import { appShapes } from "../app/app-shapes.ts";
import { modularApp } from "../app/modular-app.ts";
import type { Case, PreviewContext } from "../context.ts";

/**
 * What of an edit is the platform's: an app that is ready is loaded into a new isolate and asked, in each shape that a host could
 * give it. The way of a request to the object is taken off.
 */
export const loadCases: readonly Case[] = [30, 300].map((modules): Case => ({
  name: `load-${modules}`,
  run: (context) => measureLoads(context, modules),
}));

async function measureLoads(context: PreviewContext, modules: number): Promise<void> {
  const name = `load-${modules}`;
  const folder = join(context.folder, name);
  const shapes = await appShapes(modularApp(modules).files, join(folder, "app"));
  const worker = await startWorkerSubject({
    name: "loader",
    entry: join(import.meta.dirname, "../workers/load.worker.ts"),
    folder,
    bindings: [`(name = "LOADER", workerLoader = (id = "apps"))`],
    cleanUp: context.cleanUp,
  });
  const contestants: Contestant[] = [];
  let wanted: string | undefined;
  for (const [subject, code] of shapes) {
    await worker.post(subject, "put", code);
    const answer = await worker.post(subject, "load", "");
    if (answer !== "") wanted ??= answer;
    if (answer !== "" && answer !== wanted) context.report.fail(`${name}: ${subject} answers ${answer}`);
    contestants.push({ subject, way: worker.way, run: async () => void (await worker.post(subject, "load", "")) });
  }
  await measureCase(context, name, contestants, { runs: 25, atLeast: 7, budgetMs: 4000 });
  await worker.stop();
}
