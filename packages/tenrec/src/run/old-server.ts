import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "../local/start-error.ts";

/** A server ends within five seconds of the process that it was for. In milliseconds. */
const WAIT_MS = 10_000;
const PAUSE_MS = 50;

/** Notes which processes use the folder, for the next command. */
export function rememberServer(folder: string, pid: number | undefined): void {
  if (pid !== undefined) writeFileSync(fileOf(folder), String(pid), { mode: 0o600 });
}

/**
 * Waits until the server of a command that was killed has ended: two servers on one database would each go on from what
 * they have in memory. Throws `StartError` when it does not end.
 */
export async function awaitOldServer(folder: string): Promise<void> {
  const file = fileOf(folder);
  const pid = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
  for (let waited = 0; isGroupAlive(pid); waited += PAUSE_MS) {
    if (waited >= WAIT_MS) {
      throw new StartError(`The server of an earlier command still runs (process ${pid}). End it, and try again.`);
    }
    await sleep(PAUSE_MS);
  }
}

function fileOf(folder: string): string {
  return join(folder, "server.pid");
}

function isGroupAlive(pid: number): boolean {
  if (!(pid > 1)) return false;
  try {
    process.kill(-pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
