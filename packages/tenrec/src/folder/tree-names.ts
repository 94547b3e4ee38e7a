/** What some file systems leave out of a name when they compare it. */
const IGNORED_IN_NAMES = /[\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufeff]|[. ]+$/g;

/** The names in a tree path ("/src/a.ts"), or why nothing may be written there. Says nothing about what is on disk. */
export type TreeNames = { readonly names: readonly string[] } | { readonly reason: string };

export function treeNames(path: string): TreeNames {
  if (!path.startsWith("/")) return { reason: "it is no path of the session's tree" };
  if (path.includes("\0") || !path.isWellFormed()) return { reason: "no file can have this name" };
  const names = path.slice(1).split("/");
  for (const name of names) {
    if (name === "" || name === ".") return { reason: "it is no path of the session's tree" };
    if (name === "..") return { reason: "it leads out of the folder" };
    if (isGitName(name)) return { reason: "it is in `.git`" };
    // What Windows would take for a path, a stream or a drive.
    if (process.platform === "win32" && /[\\:]/.test(name)) return { reason: "Windows takes this name for a path" };
  }
  return { names };
}

/** The tree paths of the folders above a path, outermost first. */
export function parentsOf(path: string): string[] {
  const parents: string[] = [];
  for (let at = path.indexOf("/", 1); at !== -1; at = path.indexOf("/", at + 1)) parents.push(path.slice(0, at));
  return parents;
}

/** All that some file system takes for `.git`. */
function isGitName(name: string): boolean {
  const plain = name.replace(IGNORED_IN_NAMES, "").toLowerCase();
  return plain === ".git" || plain === "git~1";
}
