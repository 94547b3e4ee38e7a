import { type ArchiveEntry, bytesOf } from "@tenrec/vfs/folder";
import { type Base, type BaseEntry, describeEntry, type Entries, isSameEntry } from "./base.ts";
import { parentsOf, treeNames } from "./tree-names.ts";

/** A path that the session's tree has otherwise than the base, or that the base does not have. */
export interface Write {
  readonly path: string;
  readonly names: readonly string[];
  readonly entry: ArchiveEntry;
  readonly now: BaseEntry;
  /** What was imported there; a folder counts as nothing, it is removed first. */
  readonly before: BaseEntry | undefined;
}

/** A path of the base that the session's tree no longer has. */
export interface Deletion {
  readonly path: string;
  readonly names: readonly string[];
  readonly before: BaseEntry;
  /** The tree has a folder in its place. */
  readonly becomesFolder: boolean;
  /** The tree has a file or a link in the place of a folder above it. */
  readonly isUnderLeaf: boolean;
}

type Folders = ReadonlyMap<string, number>;

export interface Plan {
  /** Sorted by path, so a folder comes before what is in it. */
  readonly writes: readonly Write[];
  /** What must go before the writes: its place is taken by something of another kind or of a similar name. */
  readonly firstDeletions: readonly Deletion[];
  /** The rest goes after the writes: when a file was moved, a crash between leaves both rather than none. */
  readonly lastDeletions: readonly Deletion[];
  /** Folders that the session's tree no longer has, innermost first. */
  readonly goneFolders: readonly string[];
  /** Modes of the tree's folders by path. */
  readonly folderModes: ReadonlyMap<string, number>;
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
  /** Files and links that are as they were imported. */
  readonly untouched: number;
}

/** Compares the session's tree with the base. Keeps the bytes of what differs only; nothing is on disk yet. */
export async function planChanges(base: Base, entries: Entries): Promise<Plan> {
  const tree = new Map<string, BaseEntry>();
  const writes = new Map<string, Write>();
  const refused: { path: string; reason: string }[] = [];
  for await (const passing of entries) {
    const { path } = passing;
    const checked = treeNames(path);
    if ("reason" in checked) {
      refused.push({ path, reason: checked.reason });
      continue;
    }
    const entry = passing.kind === "file" ? { ...passing, content: await bytesOf(passing) } : passing;
    const now = await describeEntry(entry);
    const before = beforeOf(base, path);
    tree.set(path, now);
    if (before && isSameEntry(before, now)) writes.delete(path);
    else writes.set(path, { path, names: checked.names, entry, now, before: isFolder(before) ? undefined : before });
  }
  const folders = foldersOf(tree);
  const deletions = deletionsOf(base, tree, folders);
  const names = new Set([...writes.keys()].map(similarName));
  const isFirst = ({ path, becomesFolder, isUnderLeaf }: Deletion): boolean =>
    becomesFolder || isUnderLeaf || names.has(similarName(path));
  return {
    writes: [...writes.values()].filter(isWorthWriting(folders)).sort(byPath),
    firstDeletions: deletions.filter(isFirst),
    lastDeletions: deletions.filter((deletion) => !isFirst(deletion)),
    goneFolders: goneFolders(base, folders),
    folderModes: new Map(
      [...tree].flatMap(([path, { kind, mode }]) => (kind === "directory" ? [[path, mode] as const] : [])),
    ),
    refused,
    untouched: [...tree].filter(([path, now]) => now.kind !== "directory" && !writes.has(path)).length,
  };
}

function beforeOf({ entries }: Base, path: string): BaseEntry | undefined {
  return Object.hasOwn(entries, path) ? entries[path] : undefined;
}

function isFolder(entry: BaseEntry | undefined): boolean {
  return entry?.kind === "directory";
}

function isLeaf(entry: BaseEntry | undefined): boolean {
  return entry !== undefined && entry.kind !== "directory";
}

// A folder with something in it is made on the way to that.
function isWorthWriting(folders: Folders): (write: Write) => boolean {
  return ({ path, now }) => now.kind !== "directory" || folders.get(path) === 0;
}

/** Folders by path, also those that only the paths in them tell of, with how much is in them. */
function foldersOf(tree: ReadonlyMap<string, BaseEntry>): Map<string, number> {
  const folders = new Map<string, number>();
  for (const [path, { kind }] of tree) {
    if (kind === "directory" && !folders.has(path)) folders.set(path, 0);
    for (const parent of parentsOf(path)) folders.set(parent, (folders.get(parent) ?? 0) + 1);
  }
  return folders;
}

function deletionsOf({ entries }: Base, tree: ReadonlyMap<string, BaseEntry>, folders: Folders): Deletion[] {
  return Object.entries(entries).flatMap(([path, before]) => {
    const checked = treeNames(path);
    if (isFolder(before) || "reason" in checked || isLeaf(tree.get(path))) return [];
    const isUnderLeaf = parentsOf(path).some((parent) => isLeaf(tree.get(parent)));
    return [{ path, names: checked.names, before, becomesFolder: folders.has(path), isUnderLeaf }];
  });
}

function goneFolders(base: Base, folders: Folders): string[] {
  const known = new Set<string>();
  for (const [path, entry] of Object.entries(base.entries)) {
    if ("reason" in treeNames(path)) continue;
    if (isFolder(entry)) known.add(path);
    for (const parent of parentsOf(path)) known.add(parent);
  }
  return [...known].filter((path) => !folders.has(path)).sort((a, b) => (a < b ? 1 : -1));
}

// Names that some file systems take for one.
function similarName(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

function byPath(a: Write, b: Write): number {
  return a.path < b.path ? -1 : 1;
}
