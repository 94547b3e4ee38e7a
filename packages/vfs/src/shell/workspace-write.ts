import { TenrecError } from "@tenrec/protocol";
import { checkLengths, checkTarget, joinPath } from "../path.ts";
import { infoAt, resolveExisting, resolvePlace } from "./resolve-path.ts";
import { workspaceError } from "./workspace-error.ts";
import type { WorkspaceLike } from "./workspace-like.ts";
import { childrenAt, contentAt } from "./workspace-read.ts";

/** Writes a file with its parents, through a link. */
export async function write(workspace: WorkspaceLike, path: string, content: string | Uint8Array): Promise<void> {
  const { names, info } = await resolvePlace(workspace, path, true);
  if (info && info.type !== "file") throw new TenrecError("EISDIR", { path });
  checkLengths(names);
  await putContent(workspace, names, content);
}

/**
 * Adds to the end. The whole file is written anew: a workspace's own append decodes what is there as text, which is not
 * the same bytes afterwards when it is none.
 */
export async function append(workspace: WorkspaceLike, path: string, content: string | Uint8Array): Promise<void> {
  const { names, info } = await resolvePlace(workspace, path, true);
  if (info && info.type !== "file") throw new TenrecError("EISDIR", { path });
  checkLengths(names);
  const before = info ? await contentAt(workspace, names, info) : new Uint8Array(0);
  const added = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const bytes = new Uint8Array(before.length + added.length);
  bytes.set(before);
  bytes.set(added, before.length);
  await putContent(workspace, names, bytes);
}

export async function makeDirectory(workspace: WorkspaceLike, path: string, recursive: boolean): Promise<void> {
  const { names, info } = await resolvePlace(workspace, path, false);
  if (info) {
    if (recursive && (await resolvePlace(workspace, path, true)).info?.type === "directory") return;
    throw new TenrecError("EEXIST", { path });
  }
  checkLengths(names);
  if (!recursive && !(await infoAt(workspace, names.slice(0, -1)))) throw new TenrecError("ENOENT", { path });
  await makeAll(workspace, names);
}

export async function remove(
  workspace: WorkspaceLike,
  path: string,
  { recursive = false, force = false }: { recursive?: boolean; force?: boolean },
): Promise<void> {
  const { names, info } = await resolvePlace(workspace, path, false);
  if (!info) {
    if (force) return;
    throw new TenrecError("ENOENT", { path });
  }
  if (names.length === 0) throw new TenrecError("EACCES", { path: "/", reason: "the root stays" });
  if (info.type === "directory" && !recursive && (await childrenAt(workspace, names)).length > 0) {
    throw new TenrecError("ENOTEMPTY", { path });
  }
  await workspace.rm(joinPath(names), { recursive: true });
}

export async function link(workspace: WorkspaceLike, target: string, path: string): Promise<void> {
  checkTarget(path, target);
  const { names, info } = await resolvePlace(workspace, path, false);
  if (info) throw new TenrecError("EEXIST", { path });
  checkLengths(names);
  await makeAll(workspace, names.slice(0, -1));
  await workspace.symlink(target, joinPath(names));
}

export async function realPath(workspace: WorkspaceLike, path: string): Promise<string> {
  return joinPath((await resolveExisting(workspace, path, true)).names);
}

/** Makes the directories that are missing among these. */
export async function makeAll(workspace: WorkspaceLike, names: readonly string[]): Promise<void> {
  let there = names.length;
  while (there > 0 && !(await infoAt(workspace, names.slice(0, there)))) there--;
  for (let length = there + 1; length <= names.length; length++) {
    await workspace.mkdir(joinPath(names.slice(0, length)));
  }
}

/** Writes a content with its parents. What is refused for its size leaves no new directory. */
export async function putContent(
  workspace: WorkspaceLike,
  names: readonly string[],
  content: string | Uint8Array,
): Promise<void> {
  const path = joinPath(names);
  let above = names.length - 1;
  while (above > 0 && !(await infoAt(workspace, names.slice(0, above)))) above--;
  try {
    if (typeof content === "string") await workspace.writeFile(path, content.toWellFormed());
    else await workspace.writeFileBytes(path, content);
  } catch (error) {
    if (above < names.length - 1) await workspace.rm(joinPath(names.slice(0, above + 1)), { recursive: true });
    throw workspaceError(error, path, content.length);
  }
}
