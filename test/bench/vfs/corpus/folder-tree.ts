import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { TreeFile } from "./source-files.ts";

/**
 * A folder of the disk with these files, for ripgrep. It appears by one rename, so it is complete or absent; `name` has to
 * change with the files.
 */
export async function folderWith(cache: string, name: string, files: Iterable<TreeFile>): Promise<string> {
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const temporary = await mkdtemp(join(cache, "writing-"));
  try {
    for (const { path, bytes } of files) {
      const file = join(temporary, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, bytes);
    }
    // Another run may have been quicker.
    await rename(temporary, folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return folder;
}
