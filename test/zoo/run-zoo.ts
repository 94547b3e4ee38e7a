import { isDeepStrictEqual } from "node:util";
import { join } from "node:path";
import type { CleanUp } from "../bench/frame/clean-up.ts";
import { nameOf } from "./check.ts";
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
  const results: ZooResult[] = [];
  try {
    for (const app of apps) results.push(...(await runApp(app, server, options)));
  } finally {
    await server.stop();
  }
  return results;
}

async function runApp(app: ZooApp, server: PreviewServer, options: ZooOptions): Promise<ZooResult[]> {
  const { folder, cleanUp, beside, say } = options;
  const project = join(folder, "apps", app.name.replaceAll(/[^\w-]/g, "-"));
  makeProject(app, project);
  const told = (results: ZooResult[]): ZooResult[] => {
    for (const result of results) say(result);
    return results;
  };
  try {
    const hosts = [await server.show(project), ...(beside ? [await startWrangler(project, app.before ?? [], cleanUp)] : [])];
    const outcomes = await Promise.all(hosts.map((host) => playAll(host, app)));
    await Promise.all(hosts.map((host) => host.stop()));
    return told(app.checks.map((check, index) => resultOf(app.name, nameOf(check), hosts, outcomes.map((each) => each[index]))));
  } catch (error) {
    return told([{ app: app.name, check: "starts", problems: [error instanceof Error ? error.message : String(error)] }]);
  }
}

async function playAll(host: Host, app: ZooApp): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const check of app.checks) outcomes.push(await playCheck(host, check));
  return outcomes;
}

function resultOf(app: string, check: string, hosts: readonly Host[], outcomes: readonly (Outcome | undefined)[]): ZooResult {
  const wrong = outcomes.flatMap((outcome, index) => (outcome?.wrong ?? ["was not run"]).map((text) => `${hosts[index]?.name}: ${text}`));
  const [first, second] = outcomes;
  const differs = first && second ? differences(first.record, second.record) : [];
  return { app, check, problems: [...wrong, ...differs] };
}

/** Where the records of both hosts differ. */
function differences(preview: readonly string[], wrangler: readonly string[]): string[] {
  if (isDeepStrictEqual(preview, wrangler)) return [];
  const only = (a: readonly string[], b: readonly string[]): string[] => a.filter((line) => !b.includes(line));
  const lines = [
    ...only(preview, wrangler).map((line) => `only in the preview: ${line.slice(0, MOST_SHOWN)}`),
    ...only(wrangler, preview).map((line) => `only under wrangler dev: ${line.slice(0, MOST_SHOWN)}`),
  ];
  return lines.length > 0 ? lines : ["the same lines in another order"];
}

const MOST_SHOWN = 600;
