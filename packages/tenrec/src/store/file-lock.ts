import { randomBytes } from "node:crypto";
import { link, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { TenrecError } from "@tenrec/protocol";
import { isAlive } from "../folder/write-entry.ts";

const PAUSE_MS = 10;

export interface LockOptions {
  readonly waitMs?: number;
}

/**
 * Runs `use` while no other process of this machine runs one under the same path, which must be free for this. The lock of a
 * process that died is taken over. Throws `timeout` when the lock was not free within `waitMs`, by default five seconds.
 */
export async function withFileLock<T>(path: string, use: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const { waitMs = 5000 } = options;
  const own = `${process.pid} ${randomBytes(6).toString("hex")}`;
  const started = performance.now();
  while (!(await take(path, own))) {
    if (performance.now() - started > waitMs) {
      throw new TenrecError("timeout", { what: `Waiting for another Tenrec to let go of ${path}`, ms: waitMs });
    }
    await sleep(PAUSE_MS);
  }
  try {
    return await use();
  } finally {
    if ((await readLock(path)) === own) await unlink(path).catch(() => {});
  }
}

/** Written aside and linked, so that no lock is ever seen without its owner. */
async function take(path: string, own: string): Promise<boolean> {
  const aside = asideOf(path);
  await writeFile(aside, own, { flag: "wx", mode: 0o600 });
  try {
    await link(aside, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    await removeDead(path);
    return false;
  } finally {
    await unlink(aside).catch(() => {});
  }
}

async function removeDead(path: string): Promise<void> {
  const owner = await readLock(path);
  if (owner === undefined || isAlive(Number.parseInt(owner, 10))) return;
  const aside = asideOf(path);
  try {
    await rename(path, aside);
    // Another process may have taken it over since it was read: then it gets it back.
    if ((await readLock(aside)) !== owner) await link(aside, path);
  } catch {
    // Others are at it too: the next attempt sees what they left.
  } finally {
    await unlink(aside).catch(() => {});
  }
}

async function readLock(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}

function asideOf(path: string): string {
  return `${path}.${process.pid}-${randomBytes(6).toString("hex")}`;
}
