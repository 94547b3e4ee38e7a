import { join } from "node:path";
import { startNpmServer } from "../../../../packages/preview/src/deps/with-npm-server.ts";
import { measureCase } from "../../frame/measure-case.ts";
import type { Contestant } from "../../frame/measure-in-turns.ts";
import { modularApp, type ShownApp } from "../app/modular-app.ts";
import { PACKAGES, packageApp } from "../app/package-app.ts";
import type { Case, PreviewContext, PreviewSubject, Project } from "../context.ts";
import { untilShown } from "../until-shown.ts";

const PACKAGES_FROM: string = join(import.meta.dirname, "../../..");

const SMALL = 10;
const FIRST_LIMIT_MS = 150;
const CACHED_LIMIT_MS = 200;

const PLAN = { runs: 9, atLeast: 3, budgetMs: 8000 } as const;

/** The first answer of an app that nobody asked before, from a process that showed none yet. */
export const firstCases: readonly Case[] = [
  { name: "first", run: measureFirst },
  { name: "first-packages", run: measurePackages },
];

async function measureFirst(context: PreviewContext): Promise<void> {
  const { report, subjects } = context;
  const app = modularApp(SMALL);
  await measureFirsts(context, "first", subjects, app);
  report.expectAtMost("first", FIRST_LIMIT_MS, "ms");
}

/** With the packages in the cache, and with nothing of them yet. */
async function measurePackages(context: PreviewContext): Promise<void> {
  const { report, tenrec } = context;
  const mirror = await startNpmServer(PACKAGES_FROM, PACKAGES);
  try {
    const app = packageApp(mirror.url);
    // Fills the cache, and has the mirror pack its tarballs.
    const filled = await tenrec.open("first-packages-filled", app.files);
    await untilShown(filled, app, 0);
    await filled.close();
    await measureFirsts(context, "first-packages", [tenrec], app);
    await measureFirsts(context, "first-packages-cold", [{ ...tenrec, open: tenrec.openAlone }], app);
    report.expectAtMost("first-packages", CACHED_LIMIT_MS, "ms");
  } finally {
    await mirror.stop();
  }
}

async function measureFirsts(
  context: PreviewContext,
  name: string,
  subjects: readonly PreviewSubject[],
  app: ShownApp,
): Promise<void> {
  const opened = new Map<string, Project>();
  const contestants = subjects.map((subject) => firstOf(subject, app, name, opened));
  await measureCase(context, name, contestants, PLAN);
  for (const project of opened.values()) await project.close();
}

/** Whoever has a process for all projects opens one in a new process; for the others, to start is part of it. */
function firstOf(
  { name, open, restart }: PreviewSubject,
  app: ShownApp,
  prefix: string,
  opened: Map<string, Project>,
): Contestant {
  const openNext = async (round: number): Promise<Project> => {
    const project = await open(`${prefix}-${round}`, app.files);
    opened.set(name, project);
    return project;
  };
  return {
    subject: name,
    async prepare(round) {
      await opened.get(name)?.close();
      opened.delete(name);
      if (!restart) return;
      await restart();
      await openNext(round);
    },
    async run(round) {
      await untilShown(opened.get(name) ?? (await openNext(round)), app, 0);
    },
  };
}
