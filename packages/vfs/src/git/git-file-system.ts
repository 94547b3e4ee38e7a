import { type FileSystem, type FileSystemDirent, type FsStat, TenrecError } from "@tenrec/protocol";
import { joinPath, splitPath } from "../path.ts";
import type { GitFiles } from "./git-files.ts";
import { gitFilePath } from "./git-path.ts";

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
const encoder = new TextEncoder();
/**
 * A work tree with its `.git`: what is below `/.git` is in the repository's own store, everything else in `tree`. For git
 * code only: tools, search and archives get the tree itself. Paths are texts here: no link leads into `.git`.
 */
export function createGitFileSystem(tree: FileSystem, files: GitFiles): FileSystem {
  const of = <T>(path: string, inGit: (path: string) => T, inTree: () => T): T => {
    const [first, ...names] = splitPath(path);
    return first === ".git" ? inGit(gitFilePath(names)) : inTree();
  };
  const readGit = (path: string): Uint8Array => {
    const bytes = files.read(path);
    if (bytes) return bytes;
    throw new TenrecError(files.isDirectory(path) ? "EISDIR" : "ENOENT", { path: `/.git/${path}` });
  };
  const listGit = (path: string): FileSystemDirent[] => {
    if (!files.isDirectory(path)) {
      throw new TenrecError(files.stat(path) ? "ENOTDIR" : "ENOENT", { path: `/.git/${path}` });
    }
    return Array.from(files.list(path), ([name, directory]) => ({ name, type: directory ? "directory" : "file" }));
  };
  const withDotGit = (path: string, list: FileSystemDirent[]): FileSystemDirent[] => {
    if (splitPath(path).length > 0 || files.list("").size === 0) return list;
    return [{ name: ".git", type: "directory" }, ...list];
  };
  const list = async (path: string): Promise<FileSystemDirent[]> =>
    of(
      path,
      async (git) => listGit(git),
      async () => withDotGit(path, await tree.readdirWithFileTypes(path)),
    );
  const refuse = (path: string): never => {
    throw new TenrecError("EACCES", { path, reason: "links, copies and moves stay out of `.git`" });
  };
  const outside = (...paths: string[]): void => {
    for (const path of paths) if (splitPath(path)[0] === ".git") refuse(joinPath(splitPath(path)));
  };
  return {
    readFile: async (path) =>
      of<string | Promise<string>>(
        path,
        (git) => decoder.decode(readGit(git)),
        () => tree.readFile(path),
      ),
    readFileBytes: async (path) =>
      of<Uint8Array | Promise<Uint8Array>>(
        path,
        (git) => new Uint8Array(readGit(git)),
        () => tree.readFileBytes(path),
      ),
    writeFile: async (path, text) =>
      of<void | Promise<void>>(
        path,
        (git) => writeGit(files, git, encoder.encode(text)),
        () => tree.writeFile(path, text),
      ),
    writeFileBytes: async (path, bytes) =>
      of<void | Promise<void>>(
        path,
        (git) => writeGit(files, git, new Uint8Array(bytes)),
        () => tree.writeFileBytes(path, bytes),
      ),
    appendFile: async (path, content) =>
      of<void | Promise<void>>(
        path,
        (git) => appendGit(files, git, content),
        () => tree.appendFile(path, content),
      ),
    exists: async (path) => {
      try {
        return await of<boolean | Promise<boolean>>(
          path,
          (git) => statGit(files, git) !== undefined,
          () => tree.exists(path),
        );
      } catch {
        return false;
      }
    },
    stat: async (path) =>
      of(
        path,
        async (git) => requireGit(files, git),
        async () => tree.stat(path),
      ),
    lstat: async (path) =>
      of(
        path,
        async (git) => requireGit(files, git),
        async () => withoutLinkMode(await tree.lstat(path)),
      ),
    mkdir: async (path, options) =>
      of<void | Promise<void>>(
        path,
        (git) => makeGit(files, git, options?.recursive ?? false),
        () => tree.mkdir(path, options),
      ),
    readdir: async (path) => (await list(path)).map(({ name }) => name),
    readdirWithFileTypes: list,
    rm: async (path, options) =>
      of<void | Promise<void>>(
        path,
        (git) => removeGit(files, git, options ?? {}),
        () => tree.rm(path, options),
      ),
    cp: async (src, dest, options) => {
      outside(src, dest);
      await tree.cp(src, dest, options);
    },
    mv: async (src, dest) => {
      outside(src, dest);
      await tree.mv(src, dest);
    },
    symlink: async (target, path) => {
      outside(path);
      await tree.symlink(target, path);
    },
    readlink: async (path) => {
      if (splitPath(path)[0] === ".git") throw new TenrecError("EINVAL", { path, reason: "it is not a symbolic link" });
      return tree.readlink(path);
    },
    realpath: (path) =>
      splitPath(path)[0] === ".git" ? Promise.resolve(joinPath(splitPath(path))) : tree.realpath(path),
    resolvePath: (base, path) => tree.resolvePath(base, path),
    glob: (pattern) => tree.glob(pattern),
    chmod: async (path, mode) =>
      of<void | Promise<void>>(
        path,
        () => undefined,
        () => tree.chmod?.(path, mode),
      ),
  };
}

// Git code takes the mode of a link for one of a file, and knows what to do without one.
function withoutLinkMode({ mode, ...stat }: FsStat): FsStat {
  return stat.type === "symlink" || mode === undefined ? stat : { ...stat, mode };
}

function statGit(files: GitFiles, path: string): FsStat | undefined {
  const file = files.stat(path);
  if (file) return { type: "file", size: file.size, mtime: new Date(file.changedAt), mode: 0o644 };
  if (!files.isDirectory(path)) return undefined;
  // Without a file in it there is no repository, and git code asks for one by asking for this.
  if (path === "" && files.list("").size === 0) return undefined;
  return { type: "directory", size: 0, mtime: new Date(0), mode: 0o755 };
}

function requireGit(files: GitFiles, path: string): FsStat {
  const stat = statGit(files, path);
  if (stat === undefined) throw new TenrecError("ENOENT", { path: `/.git/${path}` });
  return stat;
}

function writeGit(files: GitFiles, path: string, bytes: Uint8Array): void {
  if (path === "" || (files.stat(path) === undefined && files.isDirectory(path))) {
    throw new TenrecError("EISDIR", { path: `/.git/${path}` });
  }
  files.write(path, bytes);
}

function appendGit(files: GitFiles, path: string, content: string | Uint8Array): void {
  const before = files.read(path) ?? new Uint8Array(0);
  const added = typeof content === "string" ? encoder.encode(content) : content;
  const bytes = new Uint8Array(before.length + added.length);
  bytes.set(before);
  bytes.set(added, before.length);
  writeGit(files, path, bytes);
}

function makeGit(files: GitFiles, path: string, recursive: boolean): void {
  const there = statGit(files, path);
  if (there?.type === "file" || (there && !recursive)) throw new TenrecError("EEXIST", { path: `/.git/${path}` });
  files.makeDirectory(path);
}

function removeGit(files: GitFiles, path: string, options: { recursive?: boolean; force?: boolean }): void {
  const there = statGit(files, path);
  if (there === undefined && !options.force) throw new TenrecError("ENOENT", { path: `/.git/${path}` });
  if (there?.type === "directory" && !options.recursive && files.list(path).size > 0) {
    throw new TenrecError("ENOTEMPTY", { path: `/.git/${path}` });
  }
  files.remove(path);
}
