import { WORKSPACE_ROOT } from "@tenrec/protocol";
import { createSearch, type Overlay } from "@tenrec/vfs";
import type { SearchShell } from "./command/search-shell.ts";

/** The shell of a search, over a tree and without anything else. */
export function searchShell(fs: Overlay, cwd: string, stdin: string | Uint8Array = ""): SearchShell {
  const tree = (path: string): string => {
    if (path !== WORKSPACE_ROOT && !path.startsWith(`${WORKSPACE_ROOT}/`)) throw new Error(`ENOENT: ${path}`);
    return path.slice(WORKSPACE_ROOT.length) || "/";
  };
  return {
    search: createSearch(fs),
    signal: new AbortController().signal,
    stdin: { bytes: () => (typeof stdin === "string" ? new TextEncoder().encode(stdin) : stdin) },
    resolve: (path) => (path.startsWith("/") ? path : fs.resolvePath(`${WORKSPACE_ROOT}/${cwd}`, path)),
    fs: {
      stat: async (path) => {
        const { type, mtime } = await fs.stat(tree(path));
        return { isFile: type === "file", isDirectory: type === "directory", mtime };
      },
      readFileBuffer: (path) => fs.readFileBytes(tree(path)),
      readdir: (path) => fs.readdir(tree(path)),
      realpath: async (path) => {
        const real = await fs.realpath(tree(path));
        return real === "/" ? WORKSPACE_ROOT : WORKSPACE_ROOT + real;
      },
    },
  };
}
