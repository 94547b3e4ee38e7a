import { TenrecError } from "@tenrec/protocol";
import type { ArchiveEntry } from "./archive-entry.ts";
import { checkNewNames, joinPath } from "../path.ts";

/** What begins like the path of a drive of Windows. */
const DRIVE = /^[A-Za-z]:/;
/** What some file systems leave out of a name when they compare it. */
const IGNORED_IN_NAMES = /[\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufeff]|[. ]+$/g;

/**
 * The names in a path that comes from outside, relative to the root of a tree; none for the root itself. Refused are
 * absolute paths, those of a drive, and `..` (`EACCES`), also where only Windows takes a `\` for a separator, all that
 * some file system takes for `.git` (`EACCES`), and what no name can be (`EINVAL`).
 */
export function archiveNames(path: string): string[] {
  if (path === "" || path.includes("\0")) throw new TenrecError("EINVAL", { path, reason: "it is empty or has a NUL" });
  if (!path.isWellFormed()) throw new TenrecError("EINVAL", { path, reason: "it is not valid Unicode" });
  if (path.startsWith("/") || (DRIVE.test(path) && /^[/\\]/.test(path.slice(2)))) {
    throw new TenrecError("EACCES", { path, reason: "an absolute path in an archive" });
  }
  for (const name of path.split(/[/\\]/)) {
    if (name === "..") throw new TenrecError("EACCES", { path, reason: "it leads out of the archive" });
    if (isGitName(name)) throw new TenrecError("EACCES", { path, reason: "`.git` is not taken from an archive" });
  }
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  checkNewNames(names);
  return names;
}

/** The same for a tree path. */
export function archiveTreePath(path: string): string {
  return joinPath(archiveNames(path));
}

/** The path of an entry as an archive has it. A folder `c:` at the root must not look like a drive, which nobody unpacks. */
export function entryName({ path, kind }: ArchiveEntry): string {
  const name = path.slice(1) + (kind === "directory" ? "/" : "");
  return DRIVE.test(name) ? `./${name}` : name;
}

/** True for all that some file system takes for `.git`. */
export function isGitName(name: string): boolean {
  const plain = name.replace(IGNORED_IN_NAMES, "").toLowerCase();
  return plain === ".git" || plain === "git~1";
}
