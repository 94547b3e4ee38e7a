import { TenrecError } from "@tenrec/protocol";
import { archiveNames, isGitName } from "../archive/archive-path.ts";
import { byteLength } from "../path.ts";

const NOT_IN_REFS = /[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\.$|\/$|^\/|^(refs\/heads\/)?-|(^|\/)\.|\.lock(\/|$)/u;
const MAX_REF_BYTES = 1024;

/** True for what `git check-ref-format` accepts as a name of a branch, a tag or a full ref. */
export function isRefName(name: string): boolean {
  return name !== "" && name !== "@" && !NOT_IN_REFS.test(name) && byteLength(name) <= MAX_REF_BYTES;
}

/** `git-refused` for what no branch or tag may be called. */
export function checkBranchName(name: string): void {
  if (!isRefName(name) || name === "HEAD" || name.startsWith("refs/")) {
    throw new TenrecError("git-refused", { what: `the name ${quote(name)}`, reason: "it is no name for a branch" });
  }
}

/** The path of a file inside `.git`, without `.git` itself. `git-refused` for one that could lead elsewhere, and for hooks. */
export function gitFilePath(names: readonly string[]): string {
  const path = names.join("/");
  const refuse = (reason: string): never => {
    throw new TenrecError("git-refused", { what: quote(`.git/${path}`), reason });
  };
  if (names.length > 1 && names[0]?.toLowerCase() === "hooks") refuse("hooks are neither stored nor run");
  if (names[0] === "refs" && names.length > 2 && !isRefName(path)) refuse("it is no name for a ref");
  if (names.some((name) => name.includes("\\"))) refuse("it has a backslash in a name");
  return path;
}

/** The names of a path in a commit. `git-refused` for a name that leads out of the tree or to `.git`, or that cannot be one. */
export function treeNames(path: string): string[] {
  try {
    if (path.includes("\\")) throw new TenrecError("EINVAL", { path, reason: "it has a backslash in a name" });
    if (path.includes("\ufffd")) throw new TenrecError("EINVAL", { path, reason: "it is not valid UTF-8" });
    const names = archiveNames(path);
    if (names.some(isDotGit)) throw new TenrecError("EINVAL", { path, reason: "it leads to `.git`" });
    // Windows leaves these out of a name's end, so that `.. ` would be `..`.
    if (names.some((name) => /^[. ]+$/.test(name)))
      throw new TenrecError("EACCES", { path, reason: "it leads out of the tree" });
    // Each name as it is: nothing is left out, so that two paths are never one file.
    if (names.join("/") !== path) throw new TenrecError("EINVAL", { path, reason: "it has an empty name or a dot" });
    return names;
  } catch (error) {
    const reason = error instanceof TenrecError ? (error.data as { reason: string }).reason : "it is not a path";
    throw new TenrecError("git-refused", { what: `the path ${quote(path)}`, reason });
  }
}

/** True for a name that some file system takes for `.git`, or for a stream of it. */
export function isDotGit(name: string): boolean {
  return isGitName(name) || isGitName(name.split(":")[0] ?? "");
}

/** A name from outside for a message: short and without control characters. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);
}
