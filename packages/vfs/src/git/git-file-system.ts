import { type FileSystem, type FileSystemDirent, type FsStat, TenrecError } from "@tenrec/protocol";
import { joinPath, splitPath } from "../path.ts";
import { createGitDirectory, type GitDirectory } from "./git-directory.ts";
import type { GitFiles } from "./git-files.ts";
import { gitFilePath } from "./git-path.ts";

/**
 * A work tree with its `.git`: what is below `/.git` is in the repository's own store, everything else in `tree`. For git
 * code only: tools, search and archives get the tree itself. Paths are texts here: no link leads into `.git`.
 */
export function createGitFileSystem(tree: FileSystem, files: GitFiles): FileSystem {
  const directory = createGitDirectory(files);
  const at = async <T>(path: string, run: (fs: GitDirectory, path: string) => Promise<T>): Promise<T> => {
    const [first, ...names] = splitPath(path);
    return first === ".git" ? run(directory, gitFilePath(names)) : run(tree, path);
  };
  const list = async (path: string): Promise<FileSystemDirent[]> => {
    const found = await at(path, (fs, inner) => fs.readdirWithFileTypes(inner));
    const isRoot = splitPath(path).length === 0 && files.list("").size > 0;
    return isRoot ? [{ name: ".git", type: "directory" }, ...found] : found;
  };
  return {
    readFile: (path) => at(path, (fs, inner) => fs.readFile(inner)),
    readFileBytes: (path) => at(path, (fs, inner) => fs.readFileBytes(inner)),
    writeFile: (path, text) => at(path, (fs, inner) => fs.writeFile(inner, text)),
    writeFileBytes: (path, bytes) => at(path, (fs, inner) => fs.writeFileBytes(inner, bytes)),
    appendFile: (path, content) => at(path, (fs, inner) => fs.appendFile(inner, content)),
    exists: (path) =>
      at(path, (fs, inner) => fs.stat(inner)).then(
        () => true,
        () => false,
      ),
    stat: (path) => at(path, (fs, inner) => fs.stat(inner)),
    lstat: async (path) => withoutLinkMode(await at(path, (fs, inner) => fs.lstat(inner))),
    mkdir: (path, options) => at(path, (fs, inner) => fs.mkdir(inner, options)),
    readdir: async (path) => (await list(path)).map(({ name }) => name),
    readdirWithFileTypes: list,
    rm: (path, options) => at(path, (fs, inner) => fs.rm(inner, options)),
    readlink: (path) => at(path, (fs, inner) => fs.readlink(inner)),
    realpath: (path) => at(path, (fs, inner) => fs.realpath(inner)),
    resolvePath: (base, path) => tree.resolvePath(base, path),
    glob: (pattern) => tree.glob(pattern),
    cp: async (src, dest, options) => {
      refuseGit(src, dest);
      await tree.cp(src, dest, options);
    },
    mv: async (src, dest) => {
      refuseGit(src, dest);
      await tree.mv(src, dest);
    },
    symlink: async (target, path) => {
      refuseGit(path);
      await tree.symlink(target, path);
    },
    chmod: async (path, mode) => {
      // Modes are not kept in `.git`.
      if (splitPath(path)[0] !== ".git") await tree.chmod?.(path, mode);
    },
  };
}

function refuseGit(...paths: string[]): void {
  for (const path of paths) {
    const names = splitPath(path);
    if (names[0] !== ".git") continue;
    throw new TenrecError("EACCES", { path: joinPath(names), reason: "links, copies and moves stay out of `.git`" });
  }
}

// Git code takes the mode of a link for one of a file, and knows what to do without one.
function withoutLinkMode({ mode, ...stat }: FsStat): FsStat {
  return stat.type === "symlink" || mode === undefined ? stat : { ...stat, mode };
}
