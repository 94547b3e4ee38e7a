import type { FileSystem } from "@tenrec/protocol";
import { resolvePath } from "../path.ts";
import { resolvePlace } from "./resolve-path.ts";
import { workspaceError } from "./workspace-error.ts";
import type { WorkspaceLike } from "./workspace-like.ts";
import { copy, move } from "./workspace-move.ts";
import { globPaths, list, readContent, readTarget, statAt } from "./workspace-read.ts";
import { append, link, makeDirectory, realPath, remove, write } from "./workspace-write.ts";

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/**
 * A `Workspace` of `@cloudflare/shell` with the errors and the meaning of paths that the port promises. Slow: each name
 * of a path is a query. One call runs at a time, in the order they were made; what others write to the workspace in
 * between is not kept apart.
 *
 * A workspace keeps no permission bits and reads no part of a file, so `chmod` and `readRange` are absent. It has no
 * transactions: when the object dies in the middle of a copy or a move of a directory, a part of it is done.
 */
export function workspaceFileSystem(workspace: WorkspaceLike): FileSystem {
  let last: Promise<unknown> = Promise.resolve();
  function inOrder<T>(path: string, run: () => Promise<T>): Promise<T> {
    const call = last.then(run).catch((error: unknown) => {
      throw workspaceError(error, path);
    });
    last = call.catch(() => {});
    return call;
  }
  return {
    readFile: (path) => inOrder(path, async () => decoder.decode(await readContent(workspace, path))),
    readFileBytes: (path) => inOrder(path, () => readContent(workspace, path)),
    writeFile: (path, content) => inOrder(path, () => write(workspace, path, content)),
    writeFileBytes: (path, content) => {
      const copied = content.slice();
      return inOrder(path, () => write(workspace, path, copied));
    },
    appendFile: (path, content) => {
      const copied = typeof content === "string" ? content : content.slice();
      return inOrder(path, () => append(workspace, path, copied));
    },
    exists: (path) =>
      inOrder(path, async () => (await resolvePlace(workspace, path, true)).info !== undefined).catch(() => false),
    stat: (path) => inOrder(path, () => statAt(workspace, path, true)),
    lstat: (path) => inOrder(path, () => statAt(workspace, path, false)),
    mkdir: (path, { recursive = false } = {}) => inOrder(path, () => makeDirectory(workspace, path, recursive)),
    readdir: (path) => inOrder(path, async () => (await list(workspace, path)).map(({ name }) => name)),
    readdirWithFileTypes: (path) =>
      inOrder(path, async () => (await list(workspace, path)).map(({ name, type }) => ({ name, type }))),
    rm: (path, options = {}) => inOrder(path, () => remove(workspace, path, options)),
    cp: (src, dest, { recursive = false } = {}) => inOrder(src, () => copy(workspace, src, dest, recursive)),
    mv: (src, dest) => inOrder(src, () => move(workspace, src, dest)),
    symlink: (target, path) => inOrder(path, () => link(workspace, target, path)),
    readlink: (path) => inOrder(path, () => readTarget(workspace, path)),
    realpath: (path) => inOrder(path, () => realPath(workspace, path)),
    resolvePath,
    glob: (pattern) => inOrder(pattern, () => globPaths(workspace, pattern)),
  };
}
