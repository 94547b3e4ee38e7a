import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ArchiveEntry } from "@tenrec/vfs/folder";
import { parentsOf } from "./tree-names.ts";

/** A file's text, or with its mode; the target of a link; null for a folder. */
export type Node = string | { text: string; mode: number } | { to: string } | null;
/** By path without the first slash. Folders above a path need no node of their own. */
export type Tree = Record<string, Node>;

export async function withFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "tenrec-folder-")));
  try {
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

export function file(text: string, mode: number = 0o644): Node {
  return { text, mode };
}

export async function writeTree(folder: string, tree: Tree): Promise<void> {
  for (const [path, node] of Object.entries(tree)) {
    const target = join(folder, path);
    await mkdir(node === null ? target : join(target, ".."), { recursive: true });
    if (node === null) continue;
    if (typeof node === "object" && "to" in node) await symlink(node.to, target);
    else {
      const { text, mode } = typeof node === "string" ? { text: node, mode: 0o644 } : node;
      await writeFile(target, text, "latin1");
      await chmod(target, mode);
    }
  }
}

/** Files of mode 0644 as texts; folders only when they are empty, unless `folders` asks for all. */
export async function readTree(folder: string, path = "", folders = false): Promise<Tree> {
  const tree: Tree = {};
  for (const name of (await readdir(join(folder, path))).sort()) {
    const inner = path + name;
    const at = join(folder, inner);
    const stat = await lstat(at);
    if (stat.isDirectory()) {
      const children = await readTree(folder, `${inner}/`, folders);
      if (folders || Object.keys(children).length === 0) tree[inner] = null;
      Object.assign(tree, children);
    } else if (stat.isSymbolicLink()) tree[inner] = { to: await readlink(at) };
    else {
      const text = await readFile(at, "latin1");
      tree[inner] = (stat.mode & 0o777) === 0o644 ? text : { text, mode: stat.mode & 0o777 };
    }
  }
  return tree;
}

/** As a session's tree has them: a folder before what is in it. */
export function entriesOf(tree: Tree): ArchiveEntry[] {
  const entries = new Map<string, ArchiveEntry>();
  for (const [name, node] of Object.entries(tree)) {
    const path = `/${name}`;
    for (const parent of parentsOf(path)) {
      if (!entries.has(parent)) entries.set(parent, { path: parent, kind: "directory", mode: 0o755 });
    }
    entries.set(path, entryOf(path, node));
  }
  return [...entries.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function entryOf(path: string, node: Node): ArchiveEntry {
  if (node === null) return { path, kind: "directory", mode: 0o755 };
  if (typeof node === "object" && "to" in node) return { path, kind: "symlink", mode: 0o777, target: node.to };
  const { text, mode } = typeof node === "string" ? { text: node, mode: 0o644 } : node;
  const content = new Uint8Array(Buffer.from(text, "latin1"));
  return { path, kind: "file", mode, size: content.length, content };
}
