import { randomBytes } from "node:crypto";
import { constants, link, lstat, mkdir, open, readdir, rename, symlink, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type ArchiveEntry, type FileEntry, piecesOf } from "@tenrec/vfs/folder";

const LEFTOVER = /^\.tenrec-(\d+)-[0-9a-f]{12}\.tmp$/;

/** A name for a file that takes the place of `path` when it is whole; beside it, so that it can be renamed. */
export function temporaryPath(path: string): string {
  return join(dirname(path), `.tenrec-${process.pid}-${randomBytes(6).toString("hex")}.tmp`);
}

/** Makes what was not there. Fails with `EEXIST`, whatever it is that appeared meanwhile. */
export async function createEntry(path: string, entry: ArchiveEntry): Promise<void> {
  if (entry.kind === "directory") await mkdir(path, { mode: (entry.mode & 0o777) | 0o700 });
  else if (entry.kind === "symlink") await symlink(entry.target, path);
  else {
    await withTemporary(path, async (temporary) => {
      await writeNew(temporary, entry, entry.mode);
      await linkOrRename(temporary, path);
    });
  }
}

/** Puts an entry in the place of a file or a link in one step, if `isStillThere` says so at the last moment. */
export async function replaceEntry(
  path: string,
  entry: Exclude<ArchiveEntry, { kind: "directory" }>,
  isStillThere: () => Promise<boolean>,
): Promise<boolean> {
  return withTemporary(path, async (temporary) => {
    if (entry.kind === "symlink") await symlink(entry.target, temporary);
    else await writeNew(temporary, entry, 0o600, entry.mode);
    if (!(await isStillThere())) return false;
    await rename(temporary, path);
    return true;
  });
}

/** Removes what a process that was killed left in a folder. */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = LEFTOVER.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await unlink(join(folder, name)).catch(() => {});
  }
}

/** True when a process of this id runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function withTemporary<T>(path: string, use: (temporary: string) => Promise<T>): Promise<T> {
  const temporary = temporaryPath(path);
  try {
    return await use(temporary);
  } finally {
    // Gone when it was renamed.
    await unlink(temporary).catch(() => {});
  }
}

/** `mode` is narrowed by the umask, `exactMode` is not. */
async function writeNew(path: string, entry: FileEntry, mode: number, exactMode?: number): Promise<void> {
  await using file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode & 0o777);
  for await (const piece of piecesOf(entry)) await file.writeFile(piece);
  if (exactMode !== undefined) await file.chmod(exactMode & 0o777);
}

// A hard link is the one way to give a name only if nobody has it.
async function linkOrRename(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || !["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(code)) throw error;
    // This file system has no hard links.
    const isFree = await lstat(path).then(
      () => false,
      () => true,
    );
    if (!isFree) throw Object.assign(new Error(`${path} exists`), { code: "EEXIST" });
    await rename(temporary, path);
  }
}
