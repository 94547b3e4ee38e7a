import { TenrecError } from "@tenrec/protocol";
import { DIRECTORY_MODE, FILE_MODE } from "../entry.ts";
import type { ArchiveEntry } from "./archive-entry.ts";
import type { ZipRecord } from "./zip-directory.ts";

/** Systems whose entries have a Unix mode: Unix and macOS. */
const UNIX_HOSTS: readonly number[] = [3, 19];
const TYPE_BITS = 0o170000;
const TYPES: Readonly<Record<number, ArchiveEntry["kind"]>> = {
  0o100000: "file",
  0o040000: "directory",
  0o120000: "symlink",
};
const DOS_DIRECTORY = 0x10;

/** Names of DOS and Windows have `\` between them in the archives of some programs; elsewhere it is a character. */
export function hasForeignSeparators({ name, host }: ZipRecord): boolean {
  return name.includes("\\") && !UNIX_HOSTS.includes(host);
}

/** What an entry is and its permission bits. `EACCES` for devices and the like. */
export function zipAttributes({ name, host, attributes }: ZipRecord): { kind: ArchiveEntry["kind"]; mode: number } {
  const unixMode = UNIX_HOSTS.includes(host) ? attributes >>> 16 : 0;
  const type = unixMode & TYPE_BITS;
  const isDirectory = name.endsWith("/");
  const kind = type === 0 ? (isDirectory || (attributes & DOS_DIRECTORY) !== 0 ? "directory" : "file") : TYPES[type];
  if (kind === undefined || (isDirectory && kind !== "directory")) {
    throw new TenrecError("EACCES", { path: name, reason: `an archive entry of mode ${unixMode.toString(8)}` });
  }
  if (unixMode === 0) return { kind, mode: kind === "directory" ? DIRECTORY_MODE : FILE_MODE };
  return { kind, mode: unixMode & 0o777 };
}
