import { TenrecError } from "@tenrec/protocol";
import { joinPath, splitPath } from "../path.ts";
import type { WorkspaceInfo, WorkspaceLike } from "./workspace-like.ts";

const MAX_LINKS = 40;

/** Where a path leads. */
export interface Place {
  /** Names from the root without a link in the way. */
  readonly names: readonly string[];
  /** Absent when there is nothing; the parents may be missing too. */
  readonly info: WorkspaceInfo | undefined;
}

/**
 * Follows a path through links at every level, the last name only with `follow`; a workspace itself follows only links
 * at the end. What is missing does not throw. `ENOTDIR` when a file is in the way, `ELOOP` after 40 links.
 */
export async function resolvePlace(workspace: WorkspaceLike, path: string, follow: boolean): Promise<Place> {
  // Names still to walk, the next one last.
  const pending = splitPath(path).reverse();
  const names: string[] = [];
  let links = 0;
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === "..") {
      names.pop();
      continue;
    }
    const next = await infoAt(workspace, [...names, name]);
    if (next === undefined) return { names: [...names, name, ...missingRest(path, pending)], info: undefined };
    if (next.type === "symlink" && (follow || pending.length > 0)) {
      if (++links > MAX_LINKS) throw new TenrecError("ELOOP", { path });
      const target = await workspace.readlink(joinPath([...names, name]));
      if (target.startsWith("/")) names.length = 0;
      pending.push(...linkNames(target).reverse());
      continue;
    }
    names.push(name);
    if (pending.length === 0) return { names, info: next };
    if (next.type !== "directory") throw new TenrecError("ENOTDIR", { path: joinPath(names) });
  }
  return { names, info: await infoAt(workspace, names) };
}

/** As `resolvePlace`, and `ENOENT` when there is nothing. */
export async function resolveExisting(
  workspace: WorkspaceLike,
  path: string,
  follow: boolean,
): Promise<Place & { info: WorkspaceInfo }> {
  const { names, info } = await resolvePlace(workspace, path, follow);
  if (info === undefined) throw new TenrecError("ENOENT", { path });
  return { names, info };
}

/** What is at names that no link is among. */
export async function infoAt(workspace: WorkspaceLike, names: readonly string[]): Promise<WorkspaceInfo | undefined> {
  return (await workspace.lstat(joinPath(names))) ?? undefined;
}

function linkNames(target: string): string[] {
  return target.split("/").filter((part) => part !== "" && part !== ".");
}

function missingRest(path: string, pending: readonly string[]): string[] {
  if (pending.includes("..")) throw new TenrecError("ENOENT", { path });
  return pending.toReversed();
}
