import { mkdir, realpath, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { TenrecError } from "@tenrec/protocol";
import { type ArchiveEntry, unpackTar } from "@tenrec/vfs/folder";
import { type Base, type BaseEntry, type Entries, isSameContent, isSameEntry } from "./base.ts";
import { type DiskEntry, diskKind, isUntouched, readDiskEntry } from "./disk-entry.ts";
import { refusalOfTarget } from "./link-target.ts";
import { type Deletion, type Plan, planChanges, type Write } from "./plan-changes.ts";
import { parentsOf } from "./tree-names.ts";
import { createEntry, removeLeftovers, replaceEntry } from "./write-entry.ts";

export interface ApplyOptions {
  /** The folder that was imported. */
  readonly dir: string;
  /** What was imported. */
  readonly base: Base;
  /** The session's whole tree now, as entries or as a tar stream: what it does not have is deleted. */
  readonly entries: Entries | ReadableStream<Uint8Array>;
  /** Stops between two files, with the signal's reason. */
  readonly signal?: AbortSignal;
}

export type FileOutcome = { readonly path: string } & (
  | { readonly status: "created" | "modified" | "deleted" }
  /** The disk had it already as the session has it. */
  | { readonly status: "unchanged" }
  /** The disk was left as it is. `reason` completes "refused: …". */
  | { readonly status: "refused"; readonly reason: string }
);

export interface ApplyReport {
  /** One for each file or link that the session changed, and for each empty folder that it made; sorted by path. */
  readonly files: readonly FileOutcome[];
  /** Files that the session did not change; the disk was not looked at. */
  readonly untouched: number;
}

type Outcome = FileOutcome extends infer F ? (F extends FileOutcome ? Omit<F, "path"> : never) : never;

interface Applying {
  /** A real path. */
  readonly root: string;
  readonly plan: Plan;
  /** Folders that were looked through for what a killed process left. */
  readonly cleaned: Set<string>;
  readonly signal: AbortSignal | undefined;
}

class Refusal extends Error {}

/**
 * Brings what a session changed since the import into the folder. Only what differs between base and tree is touched, and
 * only where the disk is still as it was imported: anything else is refused, file by file, and the disk kept. Each file is
 * replaced in one step, so that after a crash it is old or new, and applying again goes on. Nothing is written through a
 * link. Modes of folders that exist are not changed.
 *
 * The tree is read to its end before the disk is touched; the bytes of what changed are in memory meanwhile. Throws what the
 * stream throws (nothing was changed then), `ENOENT` or `ENOTDIR` for a `dir` that is no folder, and the signal's reason.
 */
export async function applyChanges({ dir, base, entries, signal }: ApplyOptions): Promise<ApplyReport> {
  const root = await realFolder(dir);
  const plan = await planChanges(base, entries instanceof ReadableStream ? unpackTar(entries) : entries);
  const applying: Applying = { root, plan, cleaned: new Set(), signal };
  const files: FileOutcome[] = plan.refused.map(({ path, reason }) => ({ path, status: "refused", reason }));
  const run = async <T extends { path: string }>(items: readonly T[], step: Step<T>): Promise<void> => {
    for (const item of items) {
      signal?.throwIfAborted();
      const outcome = await step(applying, item).catch(refusalOf);
      files.push({ path: item.path, ...outcome });
    }
  };
  await run(plan.firstDeletions, applyDeletion);
  await removeGoneFolders(applying, true);
  await run(plan.writes, applyWrite);
  await run(plan.lastDeletions, applyDeletion);
  await removeGoneFolders(applying, false);
  return { files: merged(files), untouched: plan.untouched };
}

type Step<T> = (applying: Applying, item: T) => Promise<Outcome>;

async function realFolder(dir: string): Promise<string> {
  const root = await realpath(dir).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? new TenrecError("ENOENT", { path: dir }) : error;
  });
  if ((await diskKind(root)) !== "directory") throw new TenrecError("ENOTDIR", { path: dir });
  return root;
}

/** Throws a `Refusal` unless every folder above is a real one; false when one is missing. */
async function hasParents({ root }: Applying, names: readonly string[]): Promise<boolean> {
  for (let length = 1; length < names.length; length++) {
    const parent = names.slice(0, length);
    const kind = await diskKind(join(root, ...parent));
    if (kind === "none") return false;
    if (kind === "directory") continue;
    throw new Refusal(`/${parent.join("/")} is a ${kind === "symlink" ? "link" : "file"} on disk, not a folder`);
  }
  return true;
}

async function makeParents(applying: Applying, names: readonly string[]): Promise<void> {
  const { root, plan } = applying;
  for (let length = 1; length < names.length; length++) {
    const parent = names.slice(0, length);
    const mode = plan.folderModes.get(`/${parent.join("/")}`) ?? 0o755;
    await mkdir(join(root, ...parent), { mode: mode | 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
  // What was there already may have become a link.
  await hasParents(applying, names);
}

async function cleanFolder({ root, cleaned }: Applying, names: readonly string[]): Promise<void> {
  const folder = join(root, ...names.slice(0, -1));
  if (cleaned.has(folder)) return;
  cleaned.add(folder);
  await removeLeftovers(folder);
}

async function applyWrite(applying: Applying, write: Write): Promise<Outcome> {
  const { names, entry, now, before } = write;
  const path = join(applying.root, ...names);
  const hasAll = await hasParents(applying, names);
  if (hasAll) await cleanFolder(applying, names);
  const disk: DiskEntry = hasAll ? await readDiskEntry(path) : { kind: "none" };
  if (isApplied(disk, write)) return { status: "unchanged" };
  if (entry.kind === "symlink") {
    const reason = await refusalOfTarget(applying.root, names, entry.target);
    if (reason !== undefined) throw new Refusal(reason);
  }
  if (before === undefined || now.kind === "directory") return create(applying, write, path, disk);
  checkIsAsImported(disk, before);
  await makeParents(applying, names);
  const isReplaced = await replaceEntry(path, entry as Exclude<ArchiveEntry, { kind: "directory" }>, () =>
    isUntouched(path, disk),
  );
  if (!isReplaced) throw new Refusal("it was changed on disk just now");
  return { status: "modified" };
}

async function create(applying: Applying, { names, entry }: Write, path: string, disk: DiskEntry): Promise<Outcome> {
  if (disk.kind === "directory") throw new Refusal("there is a folder on disk in its place, with other files in it");
  if (disk.kind !== "none") throw new Refusal("it is on disk too, and was not imported");
  await makeParents(applying, names);
  await createEntry(path, entry).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EEXIST" ? new Refusal("it appeared on disk just now") : error;
  });
  return { status: "created" };
}

async function applyDeletion(applying: Applying, { names, before, ...place }: Deletion): Promise<Outcome> {
  const path = join(applying.root, ...names);
  const hasAll = await hasParents(applying, names).catch((error: unknown) => {
    // Applied before: what the tree has in the place of a folder above is there.
    if (place.isUnderLeaf && error instanceof Refusal) return false;
    throw error;
  });
  const disk: DiskEntry = hasAll ? await readDiskEntry(path) : { kind: "none" };
  if (disk.kind === "none" || (disk.kind === "directory" && place.becomesFolder)) return { status: "unchanged" };
  checkIsAsImported(disk, before);
  await unlink(path);
  return { status: "deleted" };
}

// A mode that a umask narrowed is not a change: only the executable bit tells two new files apart, as in git.
function isApplied(disk: DiskEntry, { now, before }: Write): boolean {
  if (disk.kind === "none" || disk.kind === "special" || !isSameContent(disk, now)) return false;
  if (now.kind !== "file" || process.platform === "win32") return true;
  return before === undefined ? (disk.mode & 0o100) === (now.mode & 0o100) : disk.mode === now.mode;
}

function checkIsAsImported(disk: DiskEntry, before: BaseEntry): void {
  if (disk.kind === "none") throw new Refusal("it was deleted on disk since the import");
  if (disk.kind !== before.kind) throw new Refusal(`it became a ${nameOfKind(disk.kind)} on disk since the import`);
  if (!isSameContent(disk, before)) throw new Refusal("it was changed on disk since the import");
  if (!isSameEntry(disk, before) && process.platform !== "win32") {
    throw new Refusal("its mode was changed on disk since the import");
  }
}

function nameOfKind(kind: DiskEntry["kind"]): string {
  return { none: "nothing", special: "device", directory: "folder", symlink: "link", file: "file" }[kind];
}

/** Removes folders that the session no longer has, as far as they are empty. First those in whose place a file goes. */
async function removeGoneFolders(applying: Applying, isFirst: boolean): Promise<void> {
  const { root, plan, signal } = applying;
  const taken = new Set(plan.writes.map(({ path }) => path));
  const isInTheWay = (path: string): boolean => [path, ...parentsOf(path)].some((at) => taken.has(at));
  for (const path of plan.goneFolders) {
    if (isFirst && !isInTheWay(path)) continue;
    signal?.throwIfAborted();
    const names = path.slice(1).split("/");
    try {
      if (await hasParents(applying, [...names, ""])) await rmdir(join(root, ...names));
    } catch {
      // It has other files in it, or is no longer what was imported: it stays.
    }
  }
}

function refusalOf(error: unknown): Outcome {
  if (error instanceof Refusal) return { status: "refused", reason: error.message };
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return { status: "refused", reason: REASONS[code] ?? message };
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "there is no permission to read or write it",
  EPERM: "there is no permission to read or write it",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the quota of the disk is used up",
  ENAMETOOLONG: "its name is too long for this disk",
};

/** A path that was deleted and written has one outcome: the deletion, when it was refused, is why the other was too. */
function merged(files: readonly FileOutcome[]): FileOutcome[] {
  const byPath = new Map<string, FileOutcome>();
  for (const file of files) {
    const first = byPath.get(file.path);
    if (first?.status === "refused") continue;
    const isReplaced = first?.status === "deleted" && file.status === "created";
    byPath.set(file.path, isReplaced ? { path: file.path, status: "modified" } : file);
  }
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}
