import type { FileSystemEntryType } from "./file-system.ts";

/** Which files a search looks at: what ripgrep would, unless told otherwise. Paths are tree paths. */
export interface SearchScope {
  /** A directory or a file; default the root. A file that is named is searched even when it is ignored or hidden. */
  readonly path?: string;
  /**
   * Globs as with `rg -g`: the last one that matches wins, a leading `!` excludes. One with a `/` is relative to the root,
   * whatever `path` is.
   */
  readonly globs?: readonly string[];
  /** Look into names that begin with a dot. `.git` is never searched. */
  readonly hidden?: boolean;
  /** Look at files that `.gitignore`, `.ignore` and `.rgignore` exclude. */
  readonly noIgnore?: boolean;
}

export interface GrepQuery extends SearchScope {
  /** A regular expression in the syntax of RE2, or plain text with `literal`. */
  readonly pattern: string;
  readonly literal?: boolean;
  readonly ignoreCase?: boolean;
  readonly word?: boolean;
  /** Let a match span lines; `.` still stops at a line end unless the pattern says `(?s)`. */
  readonly multiline?: boolean;
  /** Lines of context before and after each match. */
  readonly before?: number;
  readonly after?: number;
  /** Stop in a file after this many matching lines. */
  readonly maxCount?: number;
}

export interface GrepLine {
  /** Counts from 1. */
  readonly line: number;
  /** Without its line end; cut after 500 characters, then `cut` is true. */
  readonly text: string;
  readonly cut?: boolean;
  /** False for a line of context. */
  readonly match: boolean;
}

/** How much a search looked at, so that an empty answer can be explained. */
export interface SearchSummary {
  readonly searched: number;
  readonly ignored: number;
  readonly hidden: number;
  readonly binary: number;
}

export type GrepEvent =
  | { readonly type: "file"; readonly path: string; readonly lines: readonly GrepLine[]; readonly matches: number }
  | ({ readonly type: "summary" } & SearchSummary);

export interface GlobQuery extends SearchScope {
  /** Matched against the path below `path`; `**` crosses directories. A pattern without `/` matches a name at any depth. */
  readonly pattern: string;
}

export type GlobEvent =
  | {
      readonly type: "entry";
      readonly path: string;
      readonly kind: FileSystemEntryType;
      readonly size: number;
      readonly mtime: number;
    }
  | ({ readonly type: "summary" } & SearchSummary);

/**
 * Search over a tree with the semantics of ripgrep. Answers come in order of path and end with one summary; a consumer
 * that stops early stops the search. Memory is bounded by the largest file. Binary files (a NUL byte in the first 8 KiB)
 * are skipped and counted. Throws `EINVAL` for a pattern that is not valid, `ENOENT` for a missing `path`, and
 * `signal.reason` when aborted.
 */
export interface Search {
  grep(query: GrepQuery, signal?: AbortSignal): AsyncIterable<GrepEvent>;
  glob(query: GlobQuery, signal?: AbortSignal): AsyncIterable<GlobEvent>;
}
