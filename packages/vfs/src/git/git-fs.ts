import type { FileSystem, FsStat } from "@tenrec/protocol";
import type { PromiseFsClient } from "isomorphic-git";

/**
 * A file system as isomorphic-git wants it. `before` is asked before every call, and may throw to end the whole
 * operation; `onWrite` sees what is written before it is.
 */
export function createGitFs(
  fs: FileSystem,
  hooks: { readonly before: () => void; readonly onWrite: (path: string, bytes: Uint8Array) => void },
): PromiseFsClient {
  const promises = {
    readFile: async (path: string, options?: { encoding?: string } | string): Promise<string | Uint8Array> => {
      hooks.before();
      const encoding = typeof options === "string" ? options : options?.encoding;
      return encoding === "utf8" ? fs.readFile(path) : fs.readFileBytes(path);
    },
    writeFile: async (path: string, data: string | Uint8Array, options?: { mode?: number }): Promise<void> => {
      hooks.before();
      if (typeof data === "string") await fs.writeFile(path, data);
      else {
        hooks.onWrite(path, data);
        await fs.writeFileBytes(path, data);
      }
      if (options?.mode !== undefined && !path.startsWith("/.git/")) await fs.chmod?.(path, options.mode & 0o755);
    },
    unlink: (path: string): Promise<void> => fs.rm(path),
    readdir: (path: string): Promise<string[]> => fs.readdir(path),
    mkdir: (path: string): Promise<void> => fs.mkdir(path),
    rmdir: (path: string): Promise<void> => fs.rm(path),
    rm: (path: string, options?: { recursive?: boolean; force?: boolean }): Promise<void> => fs.rm(path, options),
    stat: async (path: string): Promise<GitStat> => toGitStat(await fs.stat(path)),
    lstat: async (path: string): Promise<GitStat> => toGitStat(await fs.lstat(path)),
    readlink: (path: string): Promise<string> => fs.readlink(path),
    symlink: (target: string, path: string): Promise<void> => fs.symlink(target, path),
    chmod: async (path: string, mode: number): Promise<void> => fs.chmod?.(path, mode),
  };
  return { promises };
}

interface GitStat {
  readonly type: FsStat["type"];
  readonly mode: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  readonly dev: number;
  readonly uid: number;
  readonly gid: number;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

function toGitStat({ type, mode = 0, size, mtime }: FsStat): GitStat {
  return {
    type,
    mode,
    size,
    mtimeMs: mtime.getTime(),
    ctimeMs: mtime.getTime(),
    ino: 0,
    dev: 0,
    uid: 0,
    gid: 0,
    isFile: () => type === "file",
    isDirectory: () => type === "directory",
    isSymbolicLink: () => type === "symlink",
  };
}
