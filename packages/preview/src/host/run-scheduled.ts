import type { ProjectConfig } from "../config/project-config.ts";
import { HOST_ENTRYPOINT } from "../load/entry-text.ts";
import type { LiveApp } from "./app-loader.ts";
import type { StoppedApps } from "./stopped-apps.ts";

interface HostEntrypoint {
  runScheduled(cron: string, time: number): Promise<void>;
}

/** Calls the `scheduled` handler of an app; `time` in milliseconds since the epoch. Throws what it throws. */
export async function runScheduled({ stub }: LiveApp, cron: string, time: number): Promise<void> {
  const host = stub.getEntrypoint(HOST_ENTRYPOINT) as unknown as HostEntrypoint;
  await host.runScheduled(cron, time);
}

/** Where `wrangler dev` is asked to run the handler, with and without `--test-scheduled`. */
const PATHS: ReadonlySet<string> = new Set(["/__scheduled", "/cdn-cgi/handler/scheduled"]);

/** The time of a schedule that a request asks for, of an app that has one; undefined for any other request. */
export function askedCron(request: Request, { crons }: ProjectConfig): string | undefined {
  const { pathname, searchParams } = new URL(request.url);
  return crons.length > 0 && PATHS.has(pathname) ? (searchParams.get("cron") ?? "") : undefined;
}

/** Runs the handler for whoever asks by a request. What it throws is in its trace, too. */
export async function answerScheduled(
  load: () => Promise<LiveApp>,
  cron: string,
  time: number,
  stopped: StoppedApps,
): Promise<Response> {
  const live = await load();
  try {
    await runScheduled(live, cron, time);
    return new Response("Ran scheduled event");
  } catch (error) {
    stopped.onError(live, error);
    const [said = ""] = (error instanceof Error ? error.message : String(error)).split("\n    at ");
    return new Response(`The scheduled handler failed: ${said}\n`, { status: 500 });
  }
}
