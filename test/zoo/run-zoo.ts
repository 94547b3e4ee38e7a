import { join } from "node:path";
import type { CleanUp } from "../bench/frame/clean-up.ts";
import { nameOf } from "./check.ts";
import { compareOutcomes } from "./compare-outcomes.ts";
import type { Host } from "./host.ts";
import { makeProject } from "./make-project.ts";
import { type Outcome, playCheck } from "./play-check.ts";
import { type PreviewServer, startPreviewServer } from "./preview-host.ts";
import { startWrangler } from "./wrangler-host.ts";
import type { ZooApp } from "./zoo-app.ts";
import { ZOO_PACKAGES } from "./zoo-apps.ts";

/** What came of one check of one app. */
export interface ZooResult {
  readonly app: string;
  readonly check: string;
  /** What is wrong, on which host, or how the hosts differ; empty where both are as wanted, and the same. */
  readonly problems: readonly string[];
}

export interface ZooOptions {
  /** Of this run, for projects and what is stored. */
  readonly folder: string;
  readonly cleanUp: CleanUp;
  /** Whether apps are also run under `wrangler dev`, whose answers must be the same. */
  readonly beside: boolean;
  readonly say: (result: ZooResult) => void;
}

/** Runs the checks of each app in a preview, and under `wrangler dev`. */
export async function runZoo(apps: readonly ZooApp[], options: ZooOptions): Promise<ZooResult[]> {
  const { folder, cleanUp } = options;
  const server = await startPreviewServer(join(folder, "agent"), ZOO_PACKAGES, cleanUp);
  const run = (app: ZooApp): Promise<ZooResult[]> => runApp(app, server, options);
  try {
    // Each wrangler brings a bundler and a workerd of its own.
    if (!options.beside) return (await Promise.all(apps.map(run))).flat();
    const results: ZooResult[] = [];
    for (const app of apps) results.push(...(await run(app)));
    return results;
  } finally {
    await server.stop();
  }
}

async function runApp(app: ZooApp, server: PreviewServer, options: ZooOptions): Promise<ZooResult[]> {
  const { folder, cleanUp, beside, say } = options;
  const project = join(folder, "apps", app.name.replaceAll(/[^\w-]/g, "-"));
  const told = (results: ZooResult[]): ZooResult[] => {
    for (const result of results) say(result);
    return results;
  };
  try {
    makeProject(app, project);
    const hosts = [
      await server.show(project),
      ...(beside ? [await startWrangler(project, app.before ?? [], cleanUp)] : []),
    ];
    const outcomes = await Promise.all(hosts.map((host) => playAll(host, app)));
    await Promise.all(hosts.map((host) => host.stop()));
    return told(
      app.checks.map((check, index) => {
        const own = hosts.map(({ name }, at) => ({ host: name, outcome: outcomes[at]?.[index] ?? NOT_RUN }));
        return { app: app.name, check: nameOf(check), problems: compareOutcomes(own) };
      }),
    );
  } catch (error) {
    return told([
      { app: app.name, check: "starts", problems: [error instanceof Error ? error.message : String(error)] },
    ]);
  }
}

const NOT_RUN: Outcome = { wrong: ["was not run"], record: [] };

async function playAll(host: Host, app: ZooApp): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const check of app.checks) outcomes.push(await playCheck(host, check));
  return outcomes;
}
