import type { FileSystem, FsStat } from "@tenrec/protocol";
import { TenrecError } from "@tenrec/protocol";
import { globExpression } from "./glob-expression.ts";
import type { MemoryDirectory, MemoryFile, MemoryNode, Place } from "./memory-tree.ts";
import { namesOf, pathError, walk } from "./memory-tree.ts";

/** A tree in memory, for tests that need one and no history. `files` maps paths to contents. */
export function memoryFileSystem(
  files: Readonly<Record<string, string>> = {},
  options: { readonly now?: () => number } = {},
): FileSystem {
  const now = options.now ?? ((): number => 0);
  const root = directory(now());
  for (const [path, content] of Object.entries(files)) put(root, path, now, () => encode(content));
  return { ...reading(root), ...writing(root, now), ...moving(root, now) };
}

function directory(mtime: number): MemoryDirectory {
  return { type: "directory", children: new Map(), mtime, mode: 0o755 };
}

function encode(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : content.slice();
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

function find(root: MemoryDirectory, path: string, follow = true): MemoryNode {
  const { node } = walk(root, path, { follow });
  if (!node) throw pathError("ENOENT", path);
  return node;
}

function fileAt(root: MemoryDirectory, path: string): MemoryFile {
  const node = find(root, path);
  if (node.type !== "file") throw pathError("EISDIR", path);
  return node;
}

function entries(root: MemoryDirectory, path: string): [string, MemoryNode][] {
  const node = find(root, path);
  if (node.type !== "directory") throw pathError("ENOTDIR", path);
  return [...node.children].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function statOf(node: MemoryNode): FsStat {
  const size = node.type === "file" ? node.bytes.length : node.type === "symlink" ? encode(node.target).length : 0;
  return { type: node.type, size, mtime: new Date(node.mtime), mode: node.mode };
}

/** Writes a file, creating it and its parents; `content` is given what is there. */
function put(root: MemoryDirectory, path: string, now: () => number, content: (old: Uint8Array) => Uint8Array): void {
  // Looked at first, so that a path which cannot be written leaves no new directories behind.
  const old = nodeOrUndefined(root, path);
  if (old?.type === "directory") throw pathError("EISDIR", path);
  const place = walk(root, path, { follow: true, makeParent: () => directory(now()) });
  const bytes = content(old?.type === "file" ? old.bytes : new Uint8Array());
  if (old?.type === "file") Object.assign(old, { bytes, mtime: now() });
  else place.parent?.children.set(place.name, { type: "file", bytes, mtime: now(), mode: 0o644 });
}

function nodeOrUndefined(root: MemoryDirectory, path: string): MemoryNode | undefined {
  try {
    return walk(root, path, { follow: true }).node;
  } catch (error) {
    if (error instanceof TenrecError && error.code === "ENOENT") return undefined;
    throw error;
  }
}

type Reading = Pick<
  FileSystem,
  | "readFile"
  | "readFileBytes"
  | "readRange"
  | "contentHash"
  | "exists"
  | "stat"
  | "lstat"
  | "readdir"
  | "readdirWithFileTypes"
  | "readlink"
  | "realpath"
  | "resolvePath"
  | "glob"
>;

function reading(root: MemoryDirectory): Reading {
  return {
    readFile: async (path) =>
      new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(fileAt(root, path).bytes),
    readFileBytes: async (path) => fileAt(root, path).bytes.slice(),
    readRange: async (path, offset, length) => {
      if (offset < 0 || length < 0) throw new TenrecError("EINVAL", { path, reason: "a range begins at 0 or later" });
      return fileAt(root, path).bytes.slice(offset, offset + length);
    },
    contentHash: async (path) => {
      const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(fileAt(root, path).bytes));
      return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
    },
    exists: async (path) => {
      try {
        return walk(root, path, { follow: true }).node !== undefined;
      } catch {
        return false;
      }
    },
    stat: async (path) => statOf(find(root, path)),
    lstat: async (path) => statOf(find(root, path, false)),
    readdir: async (path) => entries(root, path).map(([name]) => name),
    readdirWithFileTypes: async (path) => entries(root, path).map(([name, { type }]) => ({ name, type })),
    readlink: async (path) => {
      const node = find(root, path, false);
      if (node.type !== "symlink") throw new TenrecError("EINVAL", { path, reason: "not a symbolic link" });
      return node.target;
    },
    realpath: async (path) => {
      const place = walk(root, path, { follow: true });
      if (!place.node) throw pathError("ENOENT", path);
      return place.path;
    },
    resolvePath: (base, path) => `/${namesOf(path.startsWith("/") ? path : `${base}/${path}`).join("/")}`,
    glob: async (pattern) => {
      const expression = globExpression(pattern.startsWith("/") ? pattern : `/${pattern}`);
      return [...pathsBelow(root, "")].filter((path) => expression.test(path)).toSorted();
    },
  };
}

function* pathsBelow(dir: MemoryDirectory, at: string): Generator<string> {
  for (const [name, node] of dir.children) {
    yield `${at}/${name}`;
    if (node.type === "directory") yield* pathsBelow(node, `${at}/${name}`);
  }
}

type Writing = Pick<FileSystem, "writeFile" | "writeFileBytes" | "appendFile" | "mkdir" | "symlink" | "chmod">;

function writing(root: MemoryDirectory, now: () => number): Writing {
  return {
    writeFile: async (path, content) => put(root, path, now, () => encode(content)),
    writeFileBytes: async (path, content) => put(root, path, now, () => encode(content)),
    appendFile: async (path, content) => put(root, path, now, (old) => concat(old, encode(content))),
    mkdir: async (path, { recursive = false } = {}) => {
      const make = (): MemoryDirectory => directory(now());
      const place = walk(root, path, { follow: false, ...(recursive ? { makeParent: make } : {}) });
      const isThere = recursive && place.node && nodeOrUndefined(root, path)?.type === "directory";
      if (place.node && !isThere) throw pathError("EEXIST", path);
      if (!place.node) place.parent?.children.set(place.name, make());
    },
    symlink: async (target, path) => {
      if (walk(root, path, { follow: false, makeParent: () => directory(now()) }).node) throw pathError("EEXIST", path);
      const place = walk(root, path, { follow: false });
      place.parent?.children.set(place.name, { type: "symlink", target, mtime: now(), mode: 0o777 });
    },
    chmod: async (path, mode) => {
      if (mode < 0 || mode > 0o7777) throw new TenrecError("EINVAL", { path, reason: "not permission bits" });
      find(root, path).mode = mode;
    },
  };
}

function moving(root: MemoryDirectory, now: () => number): Pick<FileSystem, "rm" | "cp" | "mv"> {
  return {
    rm: async (path, { recursive = false, force = false } = {}) => {
      const place = force ? placeOrUndefined(root, path) : walk(root, path, { follow: false });
      if (!place?.node && force) return;
      if (!place?.node) throw pathError("ENOENT", path);
      if (!place.parent) throw new TenrecError("EINVAL", { path, reason: "the root cannot be removed" });
      const isFull = place.node.type === "directory" && place.node.children.size > 0;
      if (isFull && !recursive) throw pathError("ENOTEMPTY", path);
      place.parent.children.delete(place.name);
    },
    cp: async (src, dest, { recursive = false } = {}) => {
      const node = find(root, src, false);
      if (node.type === "directory" && !recursive) throw pathError("EISDIR", src);
      refuseInside(root, src, dest);
      merge(root, clone(node), dest, now);
    },
    mv: async (src, dest) => {
      const from = walk(root, src, { follow: false });
      if (!from.node) throw pathError("ENOENT", src);
      if (!from.parent) throw new TenrecError("EINVAL", { path: src, reason: "the root cannot be moved" });
      refuseInside(root, src, dest);
      const to = walk(root, dest, { follow: false, makeParent: () => directory(now()) });
      if (to.node === from.node) return;
      if (to.node?.type === "directory") throw pathError("EISDIR", dest);
      if (to.node && from.node.type === "directory") throw pathError("ENOTDIR", dest);
      from.parent.children.delete(from.name);
      to.parent?.children.set(to.name, from.node);
    },
  };
}

function placeOrUndefined(root: MemoryDirectory, path: string): Place | undefined {
  try {
    return walk(root, path, { follow: false });
  } catch (error) {
    if (error instanceof TenrecError && (error.code === "ENOENT" || error.code === "ENOTDIR")) return undefined;
    throw error;
  }
}

function refuseInside(root: MemoryDirectory, src: string, dest: string): void {
  const from = walk(root, src, { follow: false }).path;
  const to = `/${namesOf(dest).join("/")}`;
  if (to.startsWith(`${from}/`)) throw new TenrecError("EINVAL", { path: dest, reason: "it is inside the source" });
}

function clone(node: MemoryNode): MemoryNode {
  if (node.type === "file") return { ...node, bytes: node.bytes.slice() };
  if (node.type === "symlink") return { ...node };
  return { ...node, children: new Map([...node.children].map(([name, child]) => [name, clone(child)])) };
}

function merge(root: MemoryDirectory, node: MemoryNode, dest: string, now: () => number): void {
  const place = walk(root, dest, { follow: node.type !== "symlink", makeParent: () => directory(now()) });
  if (node.type !== "directory") {
    if (place.node?.type === "directory") throw pathError("EISDIR", dest);
    place.parent?.children.set(place.name, node);
    return;
  }
  if (place.node && place.node.type !== "directory") throw pathError("ENOTDIR", dest);
  if (!place.node) place.parent?.children.set(place.name, directory(now()));
  for (const [name, child] of node.children) merge(root, child, `${dest}/${name}`, now);
}
