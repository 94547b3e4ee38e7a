interface Common {
  /** A tree path such as "/src/a.ts". */
  readonly path: string;
  /** Permission bits. */
  readonly mode: number;
}

/**
 * A file's bytes: whole, and then they belong to who receives them, or for a large file in pieces, to be iterated once.
 * Pieces from an archive are there until the next entry is asked for; those from a folder or a tree at any time.
 */
export type FileContent = Uint8Array | AsyncIterable<Uint8Array>;

export type FileEntry = Common & {
  readonly kind: "file";
  /** Bytes of `content`. Reading pieces of another length throws `EIO`. */
  readonly size: number;
  readonly content: FileContent;
};

/** One path on its way into a tree or out of it. */
export type ArchiveEntry =
  | FileEntry
  | (Common & { readonly kind: "symlink"; readonly target: string })
  | (Common & { readonly kind: "directory" });

export type Entries = AsyncIterable<ArchiveEntry> | Iterable<ArchiveEntry>;

/** Files up to this size have their bytes whole. */
export const WHOLE_BYTES: number = 1024 * 1024;
