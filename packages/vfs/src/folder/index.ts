export type { ArchiveEntry, ArchiveLimits } from "../archive/archive-entry.ts";
export { packTar, unpackTar } from "../archive/tar.ts";
export { readFolder, type ReadFolderOptions } from "./read-folder.ts";
export { writeFolder } from "./write-folder.ts";
