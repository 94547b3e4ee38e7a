import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { constants, lstat, open, readlink } from "node:fs/promises";
import type { BaseEntry } from "./base.ts";

/** What a name on this machine's disk is. `mark` changes when the name or what it stands for was touched. */
export type DiskEntry =
  | { readonly kind: "none" }
  /** A socket, a pipe or a device. */
  | { readonly kind: "special" }
  | (BaseEntry & { readonly mark: string });

/** Reads a name without following it when it is a link. */
export async function readDiskEntry(path: string): Promise<DiskEntry> {
  const stat = await lstatOrNone(path);
  if (!stat) return { kind: "none" };
  const common = { mode: Number(stat.mode) & 0o777, mark: markOf(stat) };
  if (stat.isDirectory()) return { ...common, kind: "directory", size: 0, sha256: "" };
  if (stat.isSymbolicLink()) return { ...common, kind: "symlink", ...digest(await readlink(path)) };
  if (!stat.isFile()) return { kind: "special" };
  return { ...common, kind: "file", ...(await digestFile(path)) };
}

/** True when a name is still what `readDiskEntry` saw. */
export async function isUntouched(path: string, seen: DiskEntry): Promise<boolean> {
  const stat = await lstatOrNone(path);
  if (!stat || !("mark" in seen)) return !stat && seen.kind === "none";
  return markOf(stat) === seen.mark;
}

/** The kind of a name alone. */
export async function diskKind(path: string): Promise<"none" | "directory" | "symlink" | "file"> {
  const stat = await lstatOrNone(path);
  if (!stat) return "none";
  if (stat.isDirectory()) return "directory";
  return stat.isSymbolicLink() ? "symlink" : "file";
}

async function lstatOrNone(path: string): Promise<BigIntStats | undefined> {
  return lstat(path, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
}

function markOf({ dev, ino, mode, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, mode, size, mtimeNs, ctimeNs].join(":");
}

function digest(content: string): { size: number; sha256: string } {
  return { size: Buffer.byteLength(content), sha256: createHash("sha256").update(content).digest("hex") };
}

async function digestFile(path: string): Promise<{ size: number; sha256: string }> {
  // The name may have become a link or a pipe since it was looked at.
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  await using file = await open(path, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
  const hash = createHash("sha256");
  let size = 0;
  for await (const piece of file.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
    hash.update(piece);
    size += piece.length;
  }
  return { size, sha256: hash.digest("hex") };
}
