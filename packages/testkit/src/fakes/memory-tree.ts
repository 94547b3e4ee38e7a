import type { ErrorCode } from "@tenrec/protocol";
import { TenrecError } from "@tenrec/protocol";

export interface MemoryFile {
  readonly type: "file";
  bytes: Uint8Array;
  mtime: number;
  mode: number;
}

export interface MemoryDirectory {
  readonly type: "directory";
  readonly children: Map<string, MemoryNode>;
  mtime: number;
  mode: number;
}

interface MemoryLink {
  readonly type: "symlink";
  readonly target: string;
  mtime: number;
  mode: number;
}

export type MemoryNode = MemoryFile | MemoryDirectory | MemoryLink;

/** Where a path leads. Only the root has no parent. */
export interface Place {
  readonly parent?: MemoryDirectory;
  readonly name: string;
  readonly path: string;
  readonly node: MemoryNode | undefined;
}

const MAX_LINKS = 40;

/** The names of a path from the root, without `.` and `..`. */
export function namesOf(path: string): string[] {
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return names;
}

type PathCode = {
  [C in ErrorCode]: C extends "ENOENT" | "EEXIST" | "EISDIR" | "ENOTDIR" | "ENOTEMPTY" | "ELOOP" ? C : never;
}[ErrorCode];

export function pathError(code: PathCode, path: string): TenrecError {
  return new TenrecError(code, { path: `/${namesOf(path).join("/")}` });
}

/** As POSIX has them, in bytes. */
const MAX_PATH_BYTES = 4096;
const MAX_NAME_BYTES = 255;

function checkPath(path: string): void {
  const isLonger = (text: string, limit: number): boolean => new TextEncoder().encode(text).length > limit;
  const isPath = path !== "" && !path.includes("\0") && path.isWellFormed() && !isLonger(path, MAX_PATH_BYTES);
  if (isPath && !path.split("/").some((name) => isLonger(name, MAX_NAME_BYTES))) return;
  throw new TenrecError("EINVAL", { path: path.slice(0, 100), reason: "not a path" });
}

type Trail = readonly { readonly name: string; readonly dir: MemoryDirectory }[];

interface WalkOptions {
  /** Follow a link at the end of the path too. */
  readonly follow: boolean;
  /** Stands in for a directory that is missing on the way. */
  readonly makeParent?: () => MemoryDirectory;
}

/** Walks down a path. */
export function walk(root: MemoryDirectory, path: string, options: WalkOptions): Place {
  checkPath(path);
  const pending = namesOf(path);
  let trail: Trail = [];
  let links = 0;
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    if (name === "..") {
      trail = trail.slice(0, -1);
      continue;
    }
    const parent = trail.at(-1)?.dir ?? root;
    const node = parent.children.get(name);
    const isLast = pending.length === 0;
    if (node?.type === "symlink" && (!isLast || options.follow)) {
      if (++links > MAX_LINKS) throw pathError("ELOOP", path);
      if (node.target.startsWith("/")) trail = [];
      pending.unshift(...node.target.split("/").filter((part) => part !== "" && part !== "."));
      continue;
    }
    if (isLast) return { parent, name, path: `${pathOf(trail)}/${name}`, node };
    trail = [...trail, { name, dir: enter(parent, name, path, options) }];
  }
  const parent = trail.at(-2)?.dir ?? root;
  const last = trail.at(-1);
  return last ? { parent, name: last.name, path: pathOf(trail), node: last.dir } : { name: "", path: "/", node: root };
}

function enter(parent: MemoryDirectory, name: string, path: string, { makeParent }: WalkOptions): MemoryDirectory {
  const node = parent.children.get(name) ?? makeParent?.();
  if (!node) throw pathError("ENOENT", path);
  if (node.type !== "directory") throw pathError("ENOTDIR", path);
  parent.children.set(name, node);
  return node;
}

function pathOf(trail: Trail): string {
  return trail.map(({ name }) => `/${name}`).join("");
}
