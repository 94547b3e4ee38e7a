import { TenrecError, WORKSPACE_ROOT } from "@tenrec/protocol";

/** The reason of an `EACCES` whose path is one that the model wrote, and not one of the tree. */
export const OUTSIDE_WORKSPACE: string = `it is outside ${WORKSPACE_ROOT}`;

/**
 * The tree path for a path that a model wrote: relative to the workspace, or absolute in it. Throws `EACCES` for a path
 * that leaves the workspace, also by `..`, and `EINVAL` for one that no file can have.
 */
export function toTreePath(path: string): string {
  if (path.includes("\0"))
    throw new TenrecError("EINVAL", { path: path.replaceAll("\0", "\\0"), reason: "it holds a NUL" });
  const names: string[] = [];
  for (const name of below(path).split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) throw outside(path);
  }
  return `/${names.join("/")}`;
}

/** A tree path as a model knows it: relative to the workspace, `.` for its root. */
export function toModelPath(treePath: string): string {
  return treePath === "/" ? "." : treePath.slice(1);
}

function below(path: string): string {
  if (path === WORKSPACE_ROOT || path.startsWith(`${WORKSPACE_ROOT}/`)) return path.slice(WORKSPACE_ROOT.length);
  if (path.startsWith("/") || path === "~" || path.startsWith("~/")) throw outside(path);
  return path;
}

function outside(path: string): TenrecError<"EACCES"> {
  return new TenrecError("EACCES", { path, reason: OUTSIDE_WORKSPACE });
}
