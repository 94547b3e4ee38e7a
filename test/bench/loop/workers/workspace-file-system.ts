import type { Workspace } from "@cloudflare/computer";
import { type FileSystem, type FsStat, TenrecError } from "@tenrec/protocol";

type WorkspaceFs = Pick<Workspace["fs"], "readFile" | "writeFile" | "stat" | "readdir" | "mkdir">;

const ROOT = "/workspace";

/** The workspace of `@cloudflare/computer` as Tenrec's shell wants to see a tree: what reading commands need. */
export function workspaceFileSystem(fs: WorkspaceFs): FileSystem {
  const at = (path: string): string => (path === "/" ? ROOT : ROOT + path);
  const unsupported = (what: string) => (): never => {
    throw new TenrecError("unsupported", { what, by: "the adapter" });
  };
  const failing = async <T>(path: string, promise: Promise<T>): Promise<T> => {
    try {
      return await promise;
    } catch (error) {
      if (String(error).includes("ENOENT")) throw new TenrecError("ENOENT", { path });
      throw error;
    }
  };
  const stat = async (path: string): Promise<FsStat> => toStat(await failing(path, fs.stat(at(path))));
  const readFile = (path: string): Promise<string> => failing(path, fs.readFile(at(path), "utf8"));
  const entries = async (path: string) => failing(path, fs.readdir(at(path)));
  return {
    readFile,
    readFileBytes: async (path) => new TextEncoder().encode(await readFile(path)),
    writeFile: (path, content) => fs.writeFile(at(path), content),
    writeFileBytes: (path, content) => fs.writeFile(at(path), content),
    exists: (path) =>
      stat(path).then(
        () => true,
        () => false,
      ),
    stat,
    lstat: stat,
    readdir: async (path) => (await entries(path)).map(({ name }) => name),
    readdirWithFileTypes: async (path) =>
      (await entries(path)).map(({ name, isDirectory }) => ({ name, type: isDirectory ? "directory" : "file" })),
    mkdir: (path, options) => fs.mkdir(at(path), options),
    resolvePath: (base, path) => new URL(path, `file://${base}/`).pathname,
    realpath: async (path) => path,
    appendFile: unsupported("appendFile"),
    rm: unsupported("rm"),
    cp: unsupported("cp"),
    mv: unsupported("mv"),
    symlink: unsupported("symlink"),
    readlink: unsupported("readlink"),
    glob: unsupported("glob"),
  };
}

function toStat({ isDirectory, isSymbolicLink, size, mtime }: Awaited<ReturnType<WorkspaceFs["stat"]>>): FsStat {
  const type = isSymbolicLink ? "symlink" : isDirectory ? "directory" : "file";
  return { type, size, mtime: new Date(mtime) };
}
