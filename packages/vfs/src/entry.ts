import { sha256 } from "./sha256.ts";

interface FileEntry {
  readonly kind: "file";
  readonly mode: number;
  readonly size: number;
  /** SHA-256 of the content. */
  readonly hash: string;
  readonly mtime: number;
}

export interface LinkEntry {
  readonly kind: "symlink";
  readonly target: string;
  readonly mtime: number;
}

export interface DirectoryEntry {
  readonly kind: "directory";
  readonly mode: number;
  /** Hash of its node. */
  readonly hash: string;
  readonly mtime: number;
}

/** A name's value in a stored directory. `mtime` is advisory, in milliseconds, and in no hash. */
export type Entry = FileEntry | LinkEntry | DirectoryEntry;

export const FILE_MODE = 0o644;
export const DIRECTORY_MODE = 0o755;
export const LINK_MODE = 0o777;

/** True for what can be the permission bits of an entry. */
export function isMode(mode: number): boolean {
  return Number.isInteger(mode) && mode >= 0 && mode <= 0o7777;
}

/** True when two entries are the same to a reader who does not look into directories, nor at times. */
export function sameEntry(a: Entry | undefined, b: Entry | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.kind === "file") return b.kind === "file" && a.hash === b.hash && a.mode === b.mode;
  if (a.kind === "symlink") return b.kind === "symlink" && a.target === b.target;
  return b.kind === "directory" && a.mode === b.mode;
}

/** The hash of what a file or a link holds; `undefined` for a directory. */
export function contentHash(entry: Entry | undefined): string | undefined {
  if (entry === undefined || entry.kind === "directory") return undefined;
  return entry.kind === "file" ? entry.hash : sha256(entry.target);
}
