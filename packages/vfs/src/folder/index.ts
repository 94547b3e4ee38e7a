export type { ArchiveEntry, FileContent, FileEntry } from "../archive/archive-entry.ts";
export type { ArchiveLimits } from "../archive/archive-limits.ts";
export { bytesOf, piecesOf } from "../archive/file-content.ts";
export { packTar, unpackTar } from "../archive/tar.ts";
export { readFolder, type ReadFolderOptions } from "./read-folder.ts";
export { writeFolder } from "./write-folder.ts";
