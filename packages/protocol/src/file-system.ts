export type FileSystemEntryType = "file" | "directory" | "symlink";

export interface FsStat {
  type: FileSystemEntryType;
  /** Bytes of a file, bytes of a link's target, 0 for a directory. */
  size: number;
  mtime: Date;
  /** Permission bits only, such as 0o755. */
  mode?: number;
}

export interface FileSystemDirent {
  name: string;
  type: FileSystemEntryType;
}

/**
 * A tree of files. Structurally the `FileSystem` of `@cloudflare/shell`, so that its git and its tools, and anything else
 * written for it, accept ours, and ours accept a `Workspace`.
 *
 * Paths are absolute, with `/` between names and as the root of the tree; `.` and `..` are resolved, and `..` at the root
 * stays there. Names are compared byte for byte. Errors are `TenrecError`s with a POSIX code.
 *
 * - Reading, `stat` and `readdir` follow links; `lstat` and `readlink` do not follow the last one. A link's target is
 *   resolved inside the tree; more than 40 links are `ELOOP`.
 * - Writing creates missing parent directories and follows a link at the path.
 * - A method that fails leaves the tree as it was. `exists` never throws.
 * - Calls need not be awaited one by one: they take effect as if they had been, in the order in which they were made.
 */
export interface FileSystem {
  /** The content decoded as UTF-8; invalid bytes become U+FFFD, and a byte order mark is kept. */
  readFile(path: string): Promise<string>;
  /** A copy that the caller owns. */
  readFileBytes(path: string): Promise<Uint8Array>;
  /**
   * Up to `length` bytes from `offset`, without loading the rest; fewer, or none, at the end of the file. Absent where the
   * store cannot read a part of a file.
   */
  readRange?(path: string, offset: number, length: number): Promise<Uint8Array>;
  /**
   * SHA-256 of a file's content in lower-case hex, without loading what is stored. Absent where the store does not know it.
   */
  contentHash?(path: string): Promise<string>;
  writeFile(path: string, content: string): Promise<void>;
  /** Takes a copy of `content`. */
  writeFileBytes(path: string, content: Uint8Array): Promise<void>;
  /** Creates the file when it is missing. */
  appendFile(path: string, content: string | Uint8Array): Promise<void>;
  exists(path: string): Promise<boolean>;
  stat(path: string): Promise<FsStat>;
  lstat(path: string): Promise<FsStat>;
  /** `EEXIST` when the path exists, except for a directory with `recursive`. `ENOENT` for a missing parent without it. */
  mkdir(path: string, options?: { recursive?: boolean }): Promise<void>;
  /** Names, sorted by their UTF-16 code units. */
  readdir(path: string): Promise<string[]>;
  readdirWithFileTypes(path: string): Promise<FileSystemDirent[]>;
  /** Does not follow a link. `ENOENT` unless `force`; a non-empty directory is `ENOTEMPTY` unless `recursive`. */
  rm(path: string, options?: { recursive?: boolean; force?: boolean }): Promise<void>;
  /** `EISDIR` for a directory unless `recursive`. Links are copied as links. */
  cp(src: string, dest: string, options?: { recursive?: boolean }): Promise<void>;
  /** Moves exactly to `dest`, replacing a file there; a directory there is `EISDIR`. Into itself is `EINVAL`. */
  mv(src: string, dest: string): Promise<void>;
  /** `EEXIST` when the path exists. The target is stored as given and need not exist. */
  symlink(target: string, linkPath: string): Promise<void>;
  /** `EINVAL` when the path is not a link. */
  readlink(path: string): Promise<string>;
  realpath(path: string): Promise<string>;
  /** Pure text: `path` against `base`, normalised. */
  resolvePath(base: string, path: string): string;
  /** Absolute paths that match, sorted; ignores no file. For what a person would search, use `Search`. */
  glob(pattern: string): Promise<string[]>;
  /** Absent where permission bits are not kept. */
  chmod?(path: string, mode: number): Promise<void>;
}
