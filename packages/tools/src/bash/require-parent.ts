/**
 * `ENOENT` or `ENOTDIR` when there is no folder that a path is to be made in, as a system says it. `shown` is the path for
 * people.
 */
export async function requireParent(
  fs: { exists(path: string): Promise<boolean>; stat(path: string): Promise<FolderStat> },
  path: string,
  shown: string = path,
): Promise<void> {
  const parent = path.slice(0, path.replace(/\/+$/, "").lastIndexOf("/"));
  if (parent === "") return;
  if (!(await fs.exists(parent))) throw failure("ENOENT: no such file or directory", shown);
  const { isDirectory, type } = await fs.stat(parent);
  if (!(isDirectory ?? type === "directory")) throw failure("ENOTDIR: not a directory", shown);
}

/** As just-bash has it, or as the tree does. */
type FolderStat = { readonly isDirectory?: boolean; readonly type?: string };

function failure(text: string, path: string): Error {
  return Object.assign(new Error(`${text}, open '${path}'`), { code: /^[A-Z]+/.exec(text)?.[0] });
}
