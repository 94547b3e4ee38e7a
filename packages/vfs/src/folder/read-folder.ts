import type { Dirent } from "node:fs";
import { constants, type FileHandle, lstat, open, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { TenrecError } from "@tenrec/protocol";
import { type ArchiveEntry, WHOLE_BYTES } from "../archive/archive-entry.ts";
import { type ArchiveLimits, type ArchiveMeter, createMeter } from "../archive/archive-limits.ts";
import { archiveTreePath } from "../archive/archive-path.ts";
import { compareText } from "../path.ts";
import { type IgnoreStack, ignoreVerdict, parseIgnoreFile } from "../search/glob/ignore-rules.ts";

export interface ReadFolderOptions {
  readonly limits?: ArchiveLimits;
}

interface Reading {
  readonly root: string;
  readonly meter: ArchiveMeter;
}

/**
 * What is in a folder of this machine, names in order, each file read when it is asked for. Leaves out what the
 * `.gitignore` files in it exclude, every `.git`, and what is neither file, folder nor link. Links are kept as links and
 * never followed, so nothing outside the folder is read. Errors are those of `node:fs`, or typed by the limits.
 */
export async function* readFolder(folder: string, options: ReadFolderOptions = {}): AsyncGenerator<ArchiveEntry> {
  const reading: Reading = { root: folder, meter: createMeter(options.limits) };
  yield* readLevel(reading, "", [[]]);
}

async function* readLevel(reading: Reading, path: string, above: IgnoreStack): AsyncGenerator<ArchiveEntry> {
  const { root } = reading;
  const dirents = await readdir(join(root, path), { withFileTypes: true });
  const ignores = await withIgnoresOf(reading, path, dirents, above);
  for (const dirent of dirents.sort((a, b) => compareText(a.name, b.name))) {
    const { name } = dirent;
    const relative = path + name;
    if (name.toLowerCase() === ".git" || isLeftOut(dirent)) continue;
    if (ignoreVerdict(ignores, `/${relative}`, name, dirent.isDirectory()) === "ignore") continue;
    await checkName(root, relative);
    yield await readEntry(reading, relative, dirent);
    if (dirent.isDirectory()) yield* readLevel(reading, `${relative}/`, ignores);
  }
}

// Node has U+FFFD for each byte that is not UTF-8, and would say that there is no such file.
async function checkName(root: string, relative: string): Promise<void> {
  if (!relative.includes("\ufffd") || (await lstat(join(root, relative)).catch(() => undefined))) return;
  const reason = "its name is not UTF-8; give it another one, or leave it out in .gitignore";
  throw new TenrecError("EINVAL", { path: `/${relative}`, reason });
}

function isLeftOut(dirent: Dirent): boolean {
  return !dirent.isFile() && !dirent.isDirectory() && !dirent.isSymbolicLink();
}

async function readEntry({ root, meter }: Reading, relative: string, dirent: Dirent): Promise<ArchiveEntry> {
  const path = archiveTreePath(relative);
  const source = join(root, relative);
  if (dirent.isSymbolicLink()) {
    meter.add(path, 0);
    return { path, kind: "symlink", mode: 0o777, target: await readlink(source) };
  }
  if (dirent.isDirectory()) {
    meter.add(path, 0);
    return { path, kind: "directory", mode: (await lstat(source)).mode & 0o777 };
  }
  return readRegularFile(source, path, meter);
}

async function readRegularFile(source: string, path: string, meter: ArchiveMeter): Promise<ArchiveEntry> {
  await using file = await openFile(source);
  const stat = await file.stat();
  const { size } = stat;
  const mode = stat.mode & 0o777;
  meter.add(path, size);
  if (size > WHOLE_BYTES) return { path, kind: "file", mode, size, content: readPieces(source) };
  const content = await file.readFile();
  if (content.length !== size) throw new TenrecError("EIO", { path, reason: "it changed while it was read" });
  return { path, kind: "file", mode, size, content };
}

/** Opens the file again when it is asked for, so that one that nobody reads is not left open. */
async function* readPieces(source: string): AsyncGenerator<Uint8Array> {
  await using file = await openFile(source);
  for (;;) {
    const { bytesRead, buffer } = await file.read(new Uint8Array(WHOLE_BYTES));
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

// The name may have become a link since it was listed.
function openFile(source: string): Promise<FileHandle> {
  return open(source, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
}

async function withIgnoresOf(
  { root }: Reading,
  path: string,
  dirents: readonly Dirent[],
  [above = []]: IgnoreStack,
): Promise<IgnoreStack> {
  if (!dirents.some((dirent) => dirent.name === ".gitignore" && dirent.isFile())) return [above];
  await using file = await openFile(join(root, path, ".gitignore"));
  return [[...above, parseIgnoreFile(`/${path}`, await file.readFile("utf8"))]];
}
