import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface StateFolder {
  readonly path: string;
  /** True when another start is running with the usual one. */
  readonly isExtra: boolean;
  release(): void;
}

/**
 * A folder for the objects' storage that no other start is using: two servers on one database would each go on from what
 * they have in memory. A claim whose process is gone is taken over.
 */
export function claimState(folder: string): StateFolder {
  mkdirSync(folder, { recursive: true });
  for (let number = 1; ; number += 1) {
    const path = join(folder, number === 1 ? "state" : `state-${number}`);
    const claim = `${path}.pid`;
    if (take(claim)) return { path, isExtra: number > 1, release: () => rmSync(claim, { force: true }) };
  }
}

function take(claim: string): boolean {
  try {
    writeFileSync(claim, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  if (isAlive(Number(readFileSync(claim, "utf8")))) return false;
  writeFileSync(claim, String(process.pid));
  return true;
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
