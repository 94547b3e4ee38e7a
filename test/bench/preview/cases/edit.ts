import { measureCase } from "../../frame/measure-case.ts";
import type { Contestant } from "../../frame/measure-in-turns.ts";
import { ratioOf } from "../../frame/rows.ts";
import { type ModularApp, modularApp } from "../app/modular-app.ts";
import type { Case, PreviewContext, PreviewSubject, Project } from "../context.ts";
import { untilShown } from "../until-shown.ts";

const SMALL = 30;
const LARGE = 300;
const LIMIT_MS = 30;
const MAX_SLOPE = 1.5;

/** How much faster than `createWorker` Tenrec has to be on the larger app. */
const FASTER_THAN_BUNDLER = 20;

/** From a file that is stored to an answer of the new code. */
export const editCases: readonly Case[] = [SMALL, LARGE].map((modules): Case => ({
  name: `edit-${modules}`,
  run: (context) => measureEdits(context, modules),
}));

async function measureEdits(context: PreviewContext, modules: number): Promise<void> {
  const { report, subjects } = context;
  const name = `edit-${modules}`;
  const app = modularApp(modules);
  const projects: Project[] = [];
  const contestants: Contestant[] = [];
  let wanted: readonly string[] | undefined;
  for (const subject of subjects) {
    const project = await subject.open(name, app.files);
    projects.push(project);
    const answers = await firstAnswers(project, app);
    wanted ??= answers;
    const wrong = app.checks.find((_, at) => answers[at] !== wanted?.[at]);
    if (wrong !== undefined) report.fail(`${name}: ${subject.name} answers ${wrong} otherwise than Tenrec`);
    contestants.push(await contestantOf(subject, project, app));
  }
  await measureCase(context, name, contestants, { runs: 25, atLeast: 7, budgetMs: 8000 });
  for (const project of projects) await project.close();
  report.expectAtMost(name, LIMIT_MS, "ms");
  for (const { name: peer } of subjects.slice(1)) {
    report.expectRatio(name, peer, peer === "worker-bundler" && modules === LARGE ? FASTER_THAN_BUNDLER : 1);
  }
  const [small, large] = [SMALL, LARGE].map((each) => report.median(`edit-${each}`, "tenrec"));
  if (modules !== LARGE || small === undefined || large === undefined) return;
  report.expect({ case: name, peer: `edit-${SMALL}`, ratio: ratioOf(small, large), goal: 1 / MAX_SLOPE });
}

/** Of the app as it is before the first edit. */
async function firstAnswers(project: Project, app: ModularApp): Promise<readonly string[]> {
  await untilShown(project, app, 0);
  const answers: string[] = [];
  for (const path of app.checks) answers.push(await project.ask(path));
  return answers;
}

async function contestantOf({ name }: PreviewSubject, project: Project, app: ModularApp): Promise<Contestant> {
  let revision = 0;
  const edit = (): Promise<void> => {
    revision += 1;
    return project.save(app.edited(revision));
  };
  // One before the first that counts: nobody is measured while it starts.
  await edit();
  await untilShown(project, app, revision);
  return {
    subject: name,
    prepare: edit,
    run: () => untilShown(project, app, revision),
  };
}
