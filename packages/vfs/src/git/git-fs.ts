import { type FileSystem, type FsStat, TenrecError } from "@tenrec/protocol";
import type { PromiseFsClient } from "isomorphic-git";

export interface GitFsHooks {
  /** Asked before every call; may throw to end the whole operation. */
  readonly before: () => void;
  /** Sees what is written before it is; may throw. */
  readonly onWrite: (path: string, bytes: Uint8Array) => Promise<void>;
  /** Told of an error that does not just say that something is there or not: isomorphic-git takes some for that. */
  readonly onFailure: (error: unknown) => void;
}

const ORDINARY = ["ENOENT", "EEXIST", "EISDIR", "ENOTDIR", "ENOTEMPTY"];
const isOrdinary = (error: unknown): boolean => error instanceof TenrecError && ORDINARY.includes(error.code);
/** Git derives the kind from the mode. */
const KINDS = { file: 0o100000, directory: 0o040000, symlink: 0o120000 };

/** A file system as isomorphic-git wants it. */
export function createGitFs(fs: FileSystem, hooks: GitFsHooks): PromiseFsClient {
  const call = async <T>(run: () => Promise<T>): Promise<T> => {
    try {
      hooks.before();
      return await run();
    } catch (error) {
      if (!isOrdinary(error)) hooks.onFailure(error);
      throw error;
    }
  };
  // isomorphic-git prints any other error of these to the console. The next call ends the operation.
  const look = <T>(path: string, run: () => Promise<T>): Promise<T> =>
    call(run).catch((error: unknown) => {
      throw isOrdinary(error) ? error : new TenrecError("ENOENT", { path });
    });
  const writeFile = async (path: string, data: string | Uint8Array, mode: number | undefined): Promise<void> => {
    if (typeof data === "string") await fs.writeFile(path, data);
    else {
      await hooks.onWrite(path, data);
      await fs.writeFileBytes(path, data);
    }
    if (mode !== undefined && !path.startsWith("/.git/")) await fs.chmod?.(path, mode & 0o755);
  };
  type Encoding = { encoding?: string } | string;
  const isText = (options: Encoding | undefined): boolean =>
    (typeof options === "string" ? options : options?.encoding) === "utf8";
  const promises = {
    readFile: (path?: string, options?: Encoding): Promise<string | Uint8Array> =>
      call<string | Uint8Array>(() => {
        // How isomorphic-git finds out whether it gets promises.
        if (path === undefined) throw new TenrecError("ENOENT", { path: "" });
        return isText(options) ? fs.readFile(path) : fs.readFileBytes(path);
      }),
    writeFile: (path: string, data: string | Uint8Array, options?: { mode?: number }): Promise<void> =>
      call(() => writeFile(path, data, options?.mode)),
    unlink: (path: string): Promise<void> => call(() => fs.rm(path)),
    readdir: (path: string): Promise<string[]> => call(() => fs.readdir(path)),
    mkdir: (path: string): Promise<void> => call(() => fs.mkdir(path)),
    rmdir: (path: string): Promise<void> => call(() => fs.rm(path)),
    rm: (path: string, options?: { recursive?: boolean; force?: boolean }): Promise<void> =>
      call(() => fs.rm(path, options)),
    stat: (path: string): Promise<GitStat> => look(path, async () => toGitStat(await fs.stat(path))),
    lstat: (path: string): Promise<GitStat> => look(path, async () => toGitStat(await fs.lstat(path))),
    readlink: (path: string): Promise<string> => call(() => fs.readlink(path)),
    symlink: (target: string, path: string): Promise<void> => call(() => fs.symlink(target, path)),
    chmod: (path: string, mode: number): Promise<void> => call(async () => fs.chmod?.(path, mode)),
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
    mode: KINDS[type] | (type === "symlink" ? 0 : mode),
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
