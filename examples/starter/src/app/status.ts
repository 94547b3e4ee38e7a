import { formatDuration } from "./format-duration.ts";

/** When this isolate answered its first request: the clock of a Worker stands still before that. */
let startedAt: number | undefined;

export interface Status {
  readonly status: "ok";
  readonly uptime: string;
}

/** How the Worker is doing. */
export function status(now: number): Status {
  startedAt ??= now;
  return { status: "ok", uptime: formatDuration(now - startedAt) };
}
