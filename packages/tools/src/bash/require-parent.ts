import type { FileContent, IFileSystem } from "just-bash/browser";
import { encodingOf } from "./encoding.ts";

/** `ENOENT` when the folder that a path is to be made in is not there, as a system says it. */
export async function requireParent(fs: { exists(path: string): Promise<boolean> }, path: string): Promise<void> {
  const parent = path.slice(0, path.replace(/\/+$/, "").lastIndexOf("/"));
  if (parent === "" || (await fs.exists(parent))) return;
  throw Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), { code: "ENOENT" });
}

/**
 * Whether just-bash writes this to open a redirection. An error would end the whole script there, and lose what it printed,
 * so for `> missing/file` the folder is made.
 */
export function isRedirect(content: FileContent, encoding: Parameters<IFileSystem["writeFile"]>[2]): boolean {
  return content === "" && encodingOf(encoding) === "binary";
}
