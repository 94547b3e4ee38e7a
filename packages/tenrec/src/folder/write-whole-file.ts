import { open, realpath, rename, stat, unlink, writeFile } from "node:fs/promises";
import { temporaryPath } from "./write-entry.ts";

/**
 * Writes a file in one step: whoever reads it sees the old content or the new. A link is followed, so that what it names is
 * replaced; a pipe or a device is written to. `mode` is for a file that is new; default 0644, narrowed by the umask.
 */
export async function writeWholeFile(path: string, text: string, mode: number = 0o644): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  if (there && !there.isFile()) return writeFile(path, text);
  const target = there ? await realpath(path) : path;
  const temporary = temporaryPath(target);
  try {
    await using file = await open(temporary, "wx", there ? there.mode & 0o777 : mode);
    await file.writeFile(text);
    await rename(temporary, target);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
}
