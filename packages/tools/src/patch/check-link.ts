import { TenrecError, WORKSPACE_ROOT } from "@tenrec/protocol";

/**
 * Throws `EACCES` for a symbolic link that would lead out of the workspace or into `.git`, wherever the tree is unpacked,
 * and `EINVAL` for a target that is no path. `folder` is where the link is once all links on its way are followed.
 */
export function checkLink(path: string, folder: string, target: string): void {
  const shown = JSON.stringify(target.length > 120 ? `${target.slice(0, 120)}…` : target);
  const invalid = (reason: string): Error =>
    new TenrecError("EINVAL", { path, reason: `the target ${shown} ${reason}` });
  if (target === "" || /[\0\n]/.test(target)) throw invalid("of the link is not one line of text");
  const leads = (where: string): Error =>
    new TenrecError("EACCES", { path, reason: `the patch makes it a link to ${shown}, which leads ${where}` });
  if (target.startsWith("/")) throw leads(`out of ${WORKSPACE_ROOT}; targets are relative to the link`);
  const parts = target.split("/").filter((part) => part !== "" && part !== ".");
  const up = parts.findIndex((part) => part !== "..");
  const below = up === -1 ? [] : parts.slice(up);
  // `a/..` is elsewhere when `a` is a link itself.
  if (below.includes("..")) throw invalid("of the link has .. behind a name");
  if (parts.length - below.length > folder.split("/").filter(Boolean).length) throw leads(`out of ${WORKSPACE_ROOT}`);
  if (below.some((part) => part.toLowerCase() === ".git")) throw leads("into .git");
}
