import type { FileSystemEntryType } from "@tenrec/protocol";
import { hasCode, TenrecError } from "@tenrec/protocol";
import type { Overlay, TreeStore } from "@tenrec/vfs";
import type { Restore } from "./plan-restore.ts";

/** A larger file goes from tree to tree in pieces. In bytes. */
const WHOLE_BYTES = 256 * 1024;

async function kindOf(overlay: Overlay, path: string): Promise<FileSystemEntryType | undefined> {
  try {
    return (await overlay.lstat(path)).type;
  } catch (error) {
    if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR")) return undefined;
    throw error;
  }
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

/** Removes a path, and the directories around it that it leaves empty, unless they were there before. */
async function remove(overlay: Overlay, source: Overlay, path: string): Promise<void> {
  await overlay.rm(path, { recursive: true, force: true });
  for (let parent = parentOf(path); parent !== "/"; parent = parentOf(parent)) {
    if ((await kindOf(overlay, parent)) !== "directory" || (await overlay.readdir(parent)).length > 0) return;
    if ((await kindOf(source, parent)) === "directory") return;
    await overlay.rm(parent, { recursive: true });
  }
}

async function put(overlay: Overlay, source: Overlay, path: string): Promise<void> {
  const parent = parentOf(path);
  await overlay.mkdir(parent, { recursive: true });
  // A link that somebody put in the way leads elsewhere.
  if ((await overlay.realpath(parent)) !== parent) throw new TenrecError("ENOTDIR", { path: parent });
  await overlay.rm(path, { recursive: true, force: true });
  const { type, size, mode } = await source.lstat(path);
  if (type === "symlink") return overlay.symlink(await source.readlink(path), path);
  if (size > WHOLE_BYTES) await overlay.writeFileStream(path, source.readFileStream(path));
  else await overlay.writeFileBytes(path, await source.readFileBytes(path));
  if (mode !== undefined) await overlay.chmod(path, mode);
}

/** Makes paths of an overlay as they are in other trees. Returns those that it cannot: what others put there is in the way. */
export async function restoreFiles(
  trees: TreeStore,
  overlay: Overlay,
  restores: readonly Restore[],
): Promise<readonly string[]> {
  const blocked: string[] = [];
  const later: Restore[] = [];
  const attempt = async ({ path, tree }: Restore, isLater: boolean): Promise<void> => {
    using source = trees.overlay(tree);
    const isThere = (await kindOf(source, path)) !== undefined;
    // What goes, goes first: it may stand where a directory is to be.
    if (isThere && !isLater) return void later.push({ path, tree });
    await (isThere ? put : remove)(overlay, source, path).catch((error: unknown) => {
      if (!hasCode(error, "ENOTDIR") && !hasCode(error, "EEXIST") && !hasCode(error, "EISDIR")) throw error;
      blocked.push(path);
    });
  };
  for (const restore of restores) await attempt(restore, false);
  for (const restore of later) await attempt(restore, true);
  return blocked;
}
