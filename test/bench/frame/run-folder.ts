import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { CleanUp } from "./clean-up.ts";

/** A folder for this run, gone after it. Also removes those of runs that were killed. */
export function runFolder(cache: string, cleanUp: CleanUp): string {
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache)) {
    const owner = /^run-(\d+)$/.exec(name)?.[1];
    if (owner !== undefined && !isAlive(Number(owner))) rmSync(join(cache, name), { recursive: true, force: true });
  }
  const folder = join(cache, `run-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  cleanUp.add(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
