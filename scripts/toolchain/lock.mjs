import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Whether a process with this id runs. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/**
 * Runs `work` while no other process holds `file`. The file holds its owner's process id, so a lock whose owner was
 * killed is taken over. `work` gets the function that frees the lock, for an end that skips `finally`.
 */
export async function withLock(file, work, onWait = () => {}) {
  mkdirSync(dirname(file), { recursive: true });
  let waiting = false;
  while (!take(file)) {
    if (!waiting) onWait();
    waiting = true;
    await sleep(200);
  }
  const free = () => rmSync(file, { force: true });
  try {
    return await work(free);
  } finally {
    free();
  }
}

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  const owner = readOwner(file);
  if (owner !== undefined && !isAlive(owner)) rmSync(file, { force: true });
  return false;
}

/** Undefined while the owner is between creating and writing the file, or has just removed it. */
function readOwner(file) {
  try {
    const owner = Number(readFileSync(file, "utf8"));
    return owner > 0 ? owner : undefined;
  } catch {
    return undefined;
  }
}
