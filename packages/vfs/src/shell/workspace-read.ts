import { type FsStat, TenrecError } from "@tenrec/protocol";
import { Minimatch } from "minimatch";
import { byteLength, compareText, joinPath } from "../path.ts";
import { resolveExisting } from "./resolve-path.ts";
import type { WorkspaceInfo, WorkspaceLike } from "./workspace-like.ts";

const PAGE = 1000;

/** A file's whole content. `EIO` when it has another size than it should: a lost one is read as empty by a workspace. */
export async function readContent(workspace: WorkspaceLike, path: string): Promise<Uint8Array> {
  const { names, info } = await resolveExisting(workspace, path, true);
  if (info.type !== "file") throw new TenrecError("EISDIR", { path });
  return contentAt(workspace, names, info);
}

/** The same for a file whose place is known. */
export async function contentAt(
  workspace: WorkspaceLike,
  names: readonly string[],
  info: WorkspaceInfo,
): Promise<Uint8Array> {
  const path = joinPath(names);
  const bytes = await workspace.readFileBytes(path);
  if (bytes?.length === info.size) return bytes;
  throw new TenrecError("EIO", { path, reason: `it has ${bytes?.length ?? 0} bytes instead of ${info.size}` });
}

export async function statAt(workspace: WorkspaceLike, path: string, follow: boolean): Promise<FsStat> {
  const { names, info } = await resolveExisting(workspace, path, follow);
  const { type } = info;
  const mtime = new Date(info.updatedAt);
  if (type !== "symlink") return { type, size: type === "file" ? info.size : 0, mtime };
  return { type, size: byteLength(await workspace.readlink(joinPath(names))), mtime };
}

/** What is in a directory, sorted by name. A workspace gives a thousand at a time. */
export async function childrenAt(workspace: WorkspaceLike, names: readonly string[]): Promise<WorkspaceInfo[]> {
  const path = joinPath(names);
  const children: WorkspaceInfo[] = [];
  for (;;) {
    const page = await workspace.readDir(path, { limit: PAGE, offset: children.length });
    children.push(...page);
    if (page.length < PAGE) return children.sort((a, b) => compareText(a.name, b.name));
  }
}

export async function list(workspace: WorkspaceLike, path: string): Promise<WorkspaceInfo[]> {
  const { names, info } = await resolveExisting(workspace, path, true);
  if (info.type !== "directory") throw new TenrecError("ENOTDIR", { path });
  return childrenAt(workspace, names);
}

export async function readTarget(workspace: WorkspaceLike, path: string): Promise<string> {
  const { names, info } = await resolveExisting(workspace, path, false);
  if (info.type !== "symlink") throw new TenrecError("EINVAL", { path, reason: "it is not a symbolic link" });
  return workspace.readlink(joinPath(names));
}

/** Walks what can match; links are not followed. A workspace's own globs have other rules. */
export async function globPaths(workspace: WorkspaceLike, pattern: string): Promise<string[]> {
  const absolute = pattern.startsWith("/") ? pattern : `/${pattern}`;
  const matcher = new Minimatch(absolute, { dot: true, nocomment: true, nonegate: true });
  const found: string[] = [];
  const walk = async (names: readonly string[]): Promise<void> => {
    for (const { name, type } of await childrenAt(workspace, names)) {
      const path = joinPath([...names, name]);
      if (matcher.match(path)) found.push(path);
      if (type === "directory" && matcher.match(path, true)) await walk([...names, name]);
    }
  };
  await walk([]);
  return found.sort(compareText);
}
