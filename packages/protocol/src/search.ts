import type { FileSystemEntryType } from "./file-system.ts";

/** Which files a search looks at: what ripgrep would, unless told otherwise. Paths are tree paths. */
export interface SearchScope {
  /**
   * Directories and files, each searched in turn; default the root. A file that is named is searched even when it is
   * ignored, hidden or of another type.
   */
  readonly path?: string | readonly string[];
  /**
   * Globs as with `rg -g`: the last one that matches wins, a leading `!` excludes. One with a `/` is relative to the root,
   * whatever `path` is.
   */
  readonly globs?: readonly string[];
  readonly globsIgnoreCase?: boolean;
  /** Only files of these types, by ripgrep's names such as `ts`, `py` or `md`; `all` is every type. */
  readonly types?: readonly string[];
  /** No files of these types. */
  readonly typesNot?: readonly string[];
  /** More globs for types, new ones too. */
  readonly typeGlobs?: Readonly<Record<string, readonly string[]>>;
  /** Look into names that begin with a dot. `.git` is never searched. */
  readonly hidden?: boolean;
  /** Look at files that ignore files exclude: all of them, or those of `.gitignore`, of `.ignore` and `.rgignore`, or above `path`. */
  readonly noIgnore?: boolean | readonly IgnoreSource[];
  /** More ignore files, relative to the root, which all others override. */
  readonly ignoreFiles?: readonly string[];
  /** Look at what links lead to, each directory once on a way down. */
  readonly follow?: boolean;
  /** Directories to go down below `path`: 1 is its own files. */
  readonly maxDepth?: number;
  /** In bytes; larger files are counted as `large`. A file that is named is searched. */
  readonly maxFileSize?: number;
  /** Say in the summary what was left out, and by which rule. */
  readonly explain?: boolean;
}

export type IgnoreSource = "vcs" | "dot" | "parent";

export interface GrepQuery extends SearchScope {
  /** Regular expressions in the syntax of Rust's `regex`, or plain texts with `literal`; a line matches one of them. */
  readonly pattern: string | readonly string[];
  readonly literal?: boolean;
  readonly ignoreCase?: boolean;
  /** `ignoreCase` unless a pattern has a letter in upper case. */
  readonly smartCase?: boolean;
  /** What matches has no part of a word beside it. */
  readonly word?: boolean;
  /** What matches is a whole line. */
  readonly wholeLine?: boolean;
  /** The lines that do not match. */
  readonly invert?: boolean;
  /** Let a match span lines; `.` still stops at a line end unless the pattern says `(?s)`, or `dotAll` is set. */
  readonly multiline?: boolean;
  readonly dotAll?: boolean;
  /** Let `$` match before a carriage return that ends a line, and no class match that. */
  readonly crlf?: boolean;
  /** A carriage return before a line feed is a part of its line's text, as any character. */
  readonly keepReturns?: boolean;
  /** Search binary files as if they were text. */
  readonly text?: boolean;
  /** Search binary files as one that is named is searched: of one that matches, it is said that it does. */
  readonly binary?: boolean;
  /** What to report of each file; default `lines`. */
  readonly report?: GrepReport;
  /** Report a count of 0, too. */
  readonly zero?: boolean;
  /** Say where in its line each match is. */
  readonly spans?: boolean;
  /** Say where in its file each line is. */
  readonly places?: boolean;
  /** Lines of context before and after each match. */
  readonly before?: number;
  readonly after?: number;
  /** Stop in a file after this many matching lines, or matches with `multiline`. */
  readonly maxCount?: number;
  /** Characters of a line that are shown, those around its first match; default 500. */
  readonly maxLineLength?: number;
}

/**
 * `lines`: those that match, with context. `count`: how many those are. `count-matches`: how many matches they have.
 * `files`: paths of files with a match. `files-without-match`: of the others.
 */
export type GrepReport = "lines" | "count" | "count-matches" | "files" | "files-without-match";

export interface GrepLine {
  /** Counts from 1. */
  readonly line: number;
  /** Without its line end; what is not UTF-8 is replaced. */
  readonly text: string;
  /** False for a line of context. */
  readonly match: boolean;
  /** The line is longer than `maxLineLength`, and `text` a part of it. */
  readonly cut?: boolean;
  /** With `cut`: bytes of the line before `text`. */
  readonly skipped?: number;
  /**
   * With `spans`: start and end of each match in `text`, as string offsets; those that are cut away are not there. With
   * `invert` lines of context have them, which are the ones that match.
   */
  readonly spans?: readonly (readonly [start: number, end: number])[];
  /** The first span goes on with a match of the line before. */
  readonly continues?: boolean;
  /** Without `keepReturns`: it ends with a carriage return and a line feed. */
  readonly crlf?: boolean;
  /** With `places`: bytes of the file before the line, as UTF-8 and without a mark at the start. */
  readonly offset?: number;
  /** With `places`: the file ends without a line end. */
  readonly open?: boolean;
}

/** How much a search looked at, so that an empty answer can be explained. */
export interface SearchSummary {
  readonly searched: number;
  readonly ignored: number;
  readonly hidden: number;
  readonly binary: number;
  /** Files that were too large: for `maxFileSize`, or for a match that may span lines. */
  readonly large: number;
  /** Lines so long that only their first 4 MiB were searched. */
  readonly longLines: number;
  /** With `explain`: the first 100 files and directories that are ignored or hidden; what is in one of these is not told. */
  readonly leftOut?: readonly LeftOut[];
}

/** A file or directory that a search did not look at. */
export type LeftOut =
  | { readonly path: string; readonly why: "hidden" }
  | {
      readonly path: string;
      readonly why: "ignored";
      /** The line of the ignore file. */
      readonly rule: string;
      /** Path of the ignore file. */
      readonly file: string;
    };

/**
 * What was found in a file. One with many lines has several events, one after another; `matches` counts what is in this
 * one: matching lines, or matches with `count-matches` or `multiline`, 0 or 1 for a report of files.
 */
export interface GrepFile {
  readonly type: "file";
  readonly path: string;
  readonly lines: readonly GrepLine[];
  readonly matches: number;
  /** It is not the first event of this file. */
  readonly continued?: boolean;
  /**
   * Offset of a NUL, so the file is binary: where the search of it stopped, or, for a file that was named, that it matches
   * behind its last line here.
   */
  readonly binary?: number;
}

export type GrepEvent = GrepFile | ({ readonly type: "summary" } & SearchSummary);

export interface GlobQuery extends SearchScope {
  /** Matched against the path below `path`; `**` crosses directories. A pattern without `/` matches a name at any depth. */
  readonly pattern: string;
  readonly ignoreCase?: boolean;
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

/** What of a query is about a content. */
export type ContentQuery = Omit<GrepQuery, keyof SearchScope>;

/**
 * Search over a tree with the semantics of ripgrep. Answers come in order of path and end with one summary; a consumer
 * that stops early stops the search. Time is linear in what is searched, whatever the pattern, and memory does not depend
 * on sizes. A file with a NUL in its first 64 KiB is binary, counted and not searched; at a later one its search stops. A file
 * in UTF-16 with its mark is searched as text. Throws `EINVAL` for a pattern, glob or type that is not valid, `ENOENT` for a
 * missing `path`, and `signal.reason` when aborted.
 */
export interface Search {
  grep(query: GrepQuery, signal?: AbortSignal): AsyncIterable<GrepEvent>;
  glob(query: GlobQuery, signal?: AbortSignal): AsyncIterable<GlobEvent>;
  /** Searches a content that is in no tree, such as what is piped to a command, as a file of that path that is named. */
  grepContent(content: Uint8Array, path: string, query: ContentQuery, signal?: AbortSignal): AsyncIterable<GrepEvent>;
}
