import { TenrecError, WORKSPACE_ROOT } from "@tenrec/protocol";

/**
 * The target to store for a link at `linkPath`, a tree path. The shell's absolute paths mean nothing in the tree, so one in
 * the workspace becomes relative; one outside it is `EACCES`.
 */
export function relativeTarget(target: string, linkPath: string): string {
  if (!target.startsWith("/")) return target;
  if (target !== WORKSPACE_ROOT && !target.startsWith(`${WORKSPACE_ROOT}/`))
    throw new TenrecError("EACCES", { path: target, reason: "a link in the workspace cannot point outside it" });
  const to = target.slice(WORKSPACE_ROOT.length).split("/").filter(Boolean);
  const from = linkPath.split("/").filter(Boolean).slice(0, -1);
  let shared = 0;
  while (shared < from.length && from[shared] === to[shared]) shared += 1;
  const path = [...from.slice(shared).map(() => ".."), ...to.slice(shared)].join("/");
  return path === "" ? "." : path;
}
