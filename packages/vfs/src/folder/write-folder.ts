import { randomUUID } from "node:crypto";
import { constants, lstat, mkdir, open, rename, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { TenrecError } from "@tenrec/protocol";
import type { ArchiveEntry, Entries, FileEntry } from "../archive/archive-entry.ts";
import { archiveNames } from "../archive/archive-path.ts";
import { piecesOf } from "../archive/file-content.ts";

/** Without those that let a file run as its owner. */
const MODE_BITS = 0o777;

/**
 * Writes entries into a folder of this machine, which is created when it is missing, over what is there: a file or a link
 * is replaced, a folder is kept. Refused with `EACCES`: paths that leave the folder or name `.git`, links whose target
 * leaves it, and paths that lead through a link. What came before a refused entry stays, and what it was to replace.
 */
export async function writeFolder(folder: string, entries: Entries): Promise<void> {
  await mkdir(folder, { recursive: true });
  for await (const entry of entries) {
    const names = archiveNames(entry.path.slice(1));
    for (const name of names) checkLocalName(name, entry.path);
    await makeParents(folder, names, entry.path);
    await writeEntry(join(folder, ...names), names, entry);
  }
}

// What Windows would take for a path, a stream or a drive.
function checkLocalName(name: string, path: string): void {
  if (process.platform === "win32" && /[\\:]/.test(name)) {
    throw new TenrecError("EACCES", { path, reason: "a name that Windows takes for a path" });
  }
}

async function makeParents(folder: string, names: readonly string[], path: string): Promise<void> {
  for (let length = 1; length < names.length; length++) {
    const parent = join(folder, ...names.slice(0, length));
    const kind = await kindOf(parent);
    if (kind === undefined) await mkdir(parent);
    else if (kind !== "directory")
      throw new TenrecError("EACCES", { path, reason: "it leads through a link or a file" });
  }
}

async function writeEntry(target: string, names: readonly string[], entry: ArchiveEntry): Promise<void> {
  const there = await kindOf(target);
  if (entry.kind === "directory") {
    if (there === undefined) await mkdir(target, { mode: (entry.mode & MODE_BITS) | 0o700 });
    else if (there !== "directory") throw new TenrecError("ENOTDIR", { path: entry.path });
    return;
  }
  if (there === "directory") throw new TenrecError("EISDIR", { path: entry.path });
  if (entry.kind === "symlink") checkTarget(names, entry);
  // Never written in place: the name may be a link, or one of several of the same file, and what is there stays until
  // the new one is whole.
  const whole = join(dirname(target), `.tenrec-${randomUUID()}`);
  try {
    await (entry.kind === "symlink" ? symlink(entry.target, whole) : writeFile(whole, entry));
    await rename(whole, target);
  } catch (error) {
    await rm(whole, { force: true });
    throw error;
  }
}

async function writeFile(target: string, entry: FileEntry): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  await using file = await open(target, flags, entry.mode & MODE_BITS);
  for await (const piece of piecesOf(entry)) await file.writeFile(piece);
}

// `..` only at the start: there it leads through real folders, later it could lead out through another link.
function checkTarget(names: readonly string[], { path, target }: { path: string; target: string }): void {
  const parts = target.split(/[/\\]/).filter((part) => part !== "" && part !== ".");
  const down = parts.findIndex((part) => part !== "..");
  const ups = down === -1 ? parts.length : down;
  const isAbsolute = /^[/\\]|^[A-Za-z]:/.test(target);
  if (isAbsolute || ups > names.length - 1 || parts.slice(ups).includes("..")) {
    throw new TenrecError("EACCES", { path, reason: "a link that leads out of the folder" });
  }
}

async function kindOf(path: string): Promise<"directory" | "other" | undefined> {
  const stat = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  return stat && (stat.isDirectory() ? "directory" : "other");
}
