import { type FileSystem, type FileSystemDirent, type FsStat, TenrecError } from "@tenrec/protocol";
import type { GitFiles } from "./git-files.ts";

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
const encoder = new TextEncoder();

/** What of a file system there is inside of `.git`: no links, no modes, no moves. */
export type GitDirectory = Pick<
  FileSystem,
  | "readFile"
  | "readFileBytes"
  | "writeFile"
  | "writeFileBytes"
  | "appendFile"
  | "stat"
  | "lstat"
  | "mkdir"
  | "readdirWithFileTypes"
  | "rm"
  | "readlink"
  | "realpath"
>;

/** `.git` by paths that begin in it, as `gitFilePath` gives them: "" for itself. */
export function createGitDirectory(files: GitFiles): GitDirectory {
  const stat = async (path: string): Promise<FsStat> => requireStat(files, path);
  return {
    readFile: async (path) => decoder.decode(read(files, path)),
    readFileBytes: async (path) => new Uint8Array(read(files, path)),
    writeFile: async (path, text) => write(files, path, encoder.encode(text)),
    writeFileBytes: async (path, bytes) => write(files, path, new Uint8Array(bytes)),
    appendFile: async (path, content) => append(files, path, content),
    stat,
    lstat: stat,
    mkdir: async (path, options) => make(files, path, options?.recursive ?? false),
    readdirWithFileTypes: async (path) => list(files, path),
    rm: async (path, options) => remove(files, path, options ?? {}),
    readlink: async (path) => {
      requireStat(files, path);
      throw new TenrecError("EINVAL", { path: full(path), reason: "it is not a symbolic link" });
    },
    realpath: async (path) => {
      requireStat(files, path);
      return full(path);
    },
  };
}

function full(path: string): string {
  return path === "" ? "/.git" : `/.git/${path}`;
}

function statOf(files: GitFiles, path: string): FsStat | undefined {
  const file = files.stat(path);
  if (file) return { type: "file", size: file.size, mtime: new Date(file.changedAt), mode: 0o644 };
  if (!files.isDirectory(path)) return undefined;
  // Without a file in it there is no repository, and git code asks for one by asking for this.
  if (path === "" && files.list("").size === 0) return undefined;
  return { type: "directory", size: 0, mtime: new Date(0), mode: 0o755 };
}

function requireStat(files: GitFiles, path: string): FsStat {
  const stat = statOf(files, path);
  if (stat === undefined) throw new TenrecError("ENOENT", { path: full(path) });
  return stat;
}

function read(files: GitFiles, path: string): Uint8Array {
  const bytes = files.read(path);
  if (bytes) return bytes;
  throw new TenrecError(files.isDirectory(path) ? "EISDIR" : "ENOENT", { path: full(path) });
}

function list(files: GitFiles, path: string): FileSystemDirent[] {
  if (requireStat(files, path).type !== "directory") throw new TenrecError("ENOTDIR", { path: full(path) });
  return Array.from(files.list(path), ([name, isDirectory]) => ({ name, type: isDirectory ? "directory" : "file" }));
}

function write(files: GitFiles, path: string, bytes: Uint8Array): void {
  if (path === "" || (files.stat(path) === undefined && files.isDirectory(path))) {
    throw new TenrecError("EISDIR", { path: full(path) });
  }
  files.write(path, bytes);
}

function append(files: GitFiles, path: string, content: string | Uint8Array): void {
  const before = files.read(path) ?? new Uint8Array(0);
  const added = typeof content === "string" ? encoder.encode(content) : content;
  const bytes = new Uint8Array(before.length + added.length);
  bytes.set(before);
  bytes.set(added, before.length);
  write(files, path, bytes);
}

function make(files: GitFiles, path: string, recursive: boolean): void {
  const there = statOf(files, path);
  if (there?.type === "file" || (there && !recursive)) throw new TenrecError("EEXIST", { path: full(path) });
  files.makeDirectory(path);
}

function remove(files: GitFiles, path: string, options: { recursive?: boolean; force?: boolean }): void {
  const there = statOf(files, path);
  if (there === undefined && !options.force) throw new TenrecError("ENOENT", { path: full(path) });
  if (there?.type === "directory" && !options.recursive && files.list(path).size > 0) {
    throw new TenrecError("ENOTEMPTY", { path: full(path) });
  }
  files.remove(path);
}
