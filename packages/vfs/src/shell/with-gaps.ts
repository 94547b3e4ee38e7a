/** A contract case that the adapter over a `Workspace` cannot pass. The README of this package lists the same. */
export interface Gap {
  readonly name: string;
  readonly reason: string;
  /** The case passes when the workspace has a bucket for large files. */
  readonly passesWithBucket?: boolean;
}

const NO_MODES = "a workspace keeps no permission bits: `chmod` is absent";
const NO_RANGES = "a workspace reads whole files only: `readRange` is absent";
const NO_HASHES = "a workspace keeps no hashes: `contentHash` is absent";
const ONE_ROW = "without a bucket a file is one row, which has at most 2 MB: `EFBIG`";

export const gaps: readonly Gap[] = [
  { name: "permission bits are kept where they are offered", reason: NO_MODES },
  { name: "permission bits go with a file", reason: NO_MODES },
  { name: "permission bits of directories, and through links", reason: NO_MODES },
  { name: "a range is a part of the file", reason: NO_RANGES },
  { name: "ranges at their borders", reason: NO_RANGES },
  { name: "a content's hash is that of its bytes", reason: NO_HASHES },
  { name: "a large file is whole", reason: ONE_ROW, passesWithBucket: true },
  { name: "a file of 100 MB is whole", reason: ONE_ROW, passesWithBucket: true },
];
