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
  const contestants = subjects.map(({ name, open, restart }) => firstOf({ name, open, restart }, app, "first"));
  await measureCase(context, "first", contestants, PLAN);
  report.expectAtMost("first", FIRST_LIMIT_MS, "ms");
}

/** With the packages in the cache, and with nothing of them yet. */
async function measurePackages(context: PreviewContext): Promise<void> {
  const { report, tenrec } = context;
  const { open, openAlone, restart } = tenrec;
  const mirror = await startNpmServer(PACKAGES_FROM, PACKAGES);
  try {
    const app = packageApp(mirror.url);
    // Fills the cache, and has the mirror pack its tarballs.
    const filled = await open("first-packages-filled", app.files);
    await untilShown(filled, app, 0);
    await filled.close();
    await measureCase(context, "first-packages", [firstOf({ name: "tenrec", open, restart }, app, "cached")], PLAN);
    const cold = firstOf({ name: "tenrec", open: openAlone, restart }, app, "cold");
    await measureCase(context, "first-packages-cold", [cold], PLAN);
    report.expectAtMost("first-packages", CACHED_LIMIT_MS, "ms");
  } finally {
    await mirror.stop();
  }
}

/** Whoever has a process for all projects opens one in a new process; for the others, to start is part of it. */
function firstOf(
  { name, open, restart }: Pick<PreviewSubject, "name" | "open"> & { readonly restart: PreviewSubject["restart"] },
  app: ShownApp,
  prefix: string,
): Contestant {
  let project: Project | undefined;
  return {
    subject: name,
    async prepare(round) {
      await project?.close();
      project = undefined;
      if (!restart) return;
      await restart();
      project = await open(`${prefix}-${round}`, app.files);
    },
    async run(round) {
      project ??= await open(`${prefix}-${round}`, app.files);
      await untilShown(project, app, 0);
    },
  };
}
