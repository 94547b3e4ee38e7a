import { HOST_ENTRYPOINT } from "../load/entry-text.ts";
import type { LiveApp } from "./app-loader.ts";

interface HostEntrypoint {
  runScheduled(cron: string, time: number): Promise<void>;
}

/** Calls the `scheduled` handler of an app; `time` in milliseconds since the epoch. Throws what it throws. */
export async function runScheduled({ stub }: LiveApp, cron: string, time: number): Promise<void> {
  const host = stub.getEntrypoint(HOST_ENTRYPOINT) as unknown as HostEntrypoint;
  await host.runScheduled(cron, time);
}
