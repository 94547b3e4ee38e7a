import { TenrecError } from "@tenrec/protocol";
import { isBelow, isSame } from "../overlay/move.ts";
import { checkLengths, joinPath } from "../path.ts";
import { infoAt, resolveExisting, resolvePlace } from "./resolve-path.ts";
import type { WorkspaceInfo, WorkspaceLike } from "./workspace-like.ts";
import { childrenAt, contentAt } from "./workspace-read.ts";
import { makeAll, putContent } from "./workspace-write.ts";

/**
 * Moves exactly to `dest`. A directory is moved name by name, since a workspace's own move takes the first thousand and
 * removes the rest; when the object dies in between, some are in the old place and some in the new.
 */
export async function move(workspace: WorkspaceLike, src: string, dest: string): Promise<void> {
  const from = await resolveExisting(workspace, src, false);
  if (from.names.length === 0) throw new TenrecError("EINVAL", { path: src, reason: "the root cannot be moved" });
  const to = await resolvePlace(workspace, dest, false);
  if (isSame(from.names, to.names)) return;
  if (isBelow(to.names, from.names)) throw new TenrecError("EINVAL", { path: dest, reason: `it is inside ${src}` });
  if (to.info?.type === "directory") throw new TenrecError("EISDIR", { path: dest });
  if (to.info && from.info.type === "directory") throw new TenrecError("ENOTDIR", { path: dest });
  await checkFit(workspace, from.names, from.info, to.names);
  await makeAll(workspace, to.names.slice(0, -1));
  await moveEntry(workspace, from.names, from.info, to.names);
}

async function moveEntry(
  workspace: WorkspaceLike,
  from: readonly string[],
  info: WorkspaceInfo,
  to: readonly string[],
): Promise<void> {
  if (info.type !== "directory") {
    await workspace.mv(joinPath(from), joinPath(to));
    return;
  }
  await workspace.mkdir(joinPath(to));
  for (const child of await childrenAt(workspace, from)) {
    await moveEntry(workspace, [...from, child.name], child, [...to, child.name]);
  }
  await workspace.rm(joinPath(from), { recursive: false });
}

/** A directory is merged into one that is there. A file's copy goes through a link at `dest`, a link's copy replaces it. */
export async function copy(workspace: WorkspaceLike, src: string, dest: string, recursive: boolean): Promise<void> {
  const from = await resolveExisting(workspace, src, false);
  if (from.info.type === "directory" && !recursive) throw new TenrecError("EISDIR", { path: src });
  const to = await resolvePlace(workspace, dest, from.info.type !== "symlink");
  if (isSame(from.names, to.names)) throw new TenrecError("EINVAL", { path: dest, reason: `it is ${src} itself` });
  if (isBelow(to.names, from.names)) throw new TenrecError("EINVAL", { path: dest, reason: `it is inside ${src}` });
  await checkCopy(workspace, from.names, from.info, to.names);
  await makeAll(workspace, to.names.slice(0, -1));
  await copyEntry(workspace, from.names, from.info, to.names);
}

/** Everything that can be refused, before the first change. */
async function checkCopy(
  workspace: WorkspaceLike,
  from: readonly string[],
  info: WorkspaceInfo,
  to: readonly string[],
): Promise<void> {
  const there = await infoAt(workspace, to);
  if (!there) return checkFit(workspace, from, info, to);
  if (info.type !== "directory") {
    if (there.type === "directory") throw new TenrecError("EISDIR", { path: joinPath(to) });
    return;
  }
  if (there.type !== "directory") throw new TenrecError("ENOTDIR", { path: joinPath(to) });
  for (const child of await childrenAt(workspace, from)) {
    await checkCopy(workspace, [...from, child.name], child, [...to, child.name]);
  }
}

async function copyEntry(
  workspace: WorkspaceLike,
  from: readonly string[],
  info: WorkspaceInfo,
  to: readonly string[],
): Promise<void> {
  const there = await infoAt(workspace, to);
  if (info.type === "directory") {
    if (!there) await workspace.mkdir(joinPath(to));
    for (const child of await childrenAt(workspace, from)) {
      await copyEntry(workspace, [...from, child.name], child, [...to, child.name]);
    }
    return;
  }
  const content = info.type === "file" ? await contentAt(workspace, from, info) : undefined;
  // A workspace writes through a link.
  if (there && (there.type === "symlink" || !content)) await workspace.rm(joinPath(to), { recursive: false });
  if (content) await putContent(workspace, to, content);
  else await workspace.symlink(await workspace.readlink(joinPath(from)), joinPath(to));
}

async function checkFit(
  workspace: WorkspaceLike,
  from: readonly string[],
  info: WorkspaceInfo,
  to: readonly string[],
): Promise<void> {
  checkLengths(to);
  if (info.type !== "directory") return;
  for (const child of await childrenAt(workspace, from)) {
    await checkFit(workspace, [...from, child.name], child, [...to, child.name]);
  }
}
