import { randomInt } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { hasCode } from "@tenrec/protocol";
import { UsageError } from "../cli/usage-error.ts";
import { withFileLock } from "../store/file-lock.ts";

/** Without letters and digits that look like others. */
const LETTERS = "23456789abcdefghjkmnpqrstvwxyz";

/** An id such as `7k2m-q4xz`: short enough to be typed. */
export function newSessionId(): string {
  const letters = (count: number): string =>
    Array.from({ length: count }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  return `${letters(4)}-${letters(4)}`;
}

/**
 * Where a session's Worker keeps everything: each has a folder, and so a workerd and a database of its own. Runs beside each
 * other share nothing, and to remove a session is to remove its folder.
 */
export function sessionFolder(data: string, id: string): string {
  return join(data, "state", id);
}

/** Runs `use` while no other command uses the session. Throws `UsageError` when one does. */
export async function withSession<T>(data: string, id: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = sessionFolder(data, id);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let isHeld = false;
  try {
    return await withFileLock(join(folder, "in-use"), () => {
      isHeld = true;
      return use(folder);
    });
  } catch (error) {
    if (isHeld || !hasCode(error, "timeout")) throw error;
    throw new UsageError(`Another command is using session ${id}. Wait for it, or stop it.`);
  }
}
