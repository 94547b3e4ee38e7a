import { TenrecError } from "@tenrec/protocol";
import { writeTree } from "isomorphic-git";
import { breathe, type GitContext } from "./context.ts";
import { quote, treeNames } from "./git-path.ts";
import { readTreeEntries, type TreeEntry } from "./objects.ts";
import { objectId } from "./oids.ts";
import type { TrackedFile } from "./index-file.ts";

/** A commit's files by path without a leading `/`, and the names of its trees by path (the root's is ""). */
export interface FlatTree {
  readonly files: Map<string, TrackedFile>;
  readonly trees: Map<string, string>;
}

const MAX_TREE_DEPTH = 256;
const TREE_MODE = /^0?40000$/;
const EMPTY_TREE_OID = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/**
 * Every file of a tree of git. `git-refused` for names that must not become files: what leads out of the tree or to
 * `.git`, two of the same name, a link whose name is another's but for its case.
 */
export async function flattenTree(context: GitContext, oid: string | undefined): Promise<FlatTree> {
  const flat: FlatTree = { files: new Map(), trees: new Map() };
  if (oid !== undefined) await flatten(context, flat, oid, "");
  return flat;
}

async function flatten(context: GitContext, flat: FlatTree, oid: string, path: string): Promise<void> {
  await breathe(context);
  flat.trees.set(path, oid);
  if (oid === EMPTY_TREE_OID) return;
  if (path.split("/").length > MAX_TREE_DEPTH) refuse(path, `it is more than ${MAX_TREE_DEPTH} names deep`);
  const entries = readTreeEntries(context, oid);
  checkNames(path, entries);
  for (const { mode, name, oid: child } of entries) {
    if (name.includes("/")) refuse(name, "there is a slash in a name");
    const full = path === "" ? name : `${path}/${name}`;
    treeNames(full);
    if (TREE_MODE.test(mode)) await flatten(context, flat, child, full);
    else flat.files.set(full, { mode: fileMode(full, mode), oid: child });
    if (flat.files.size + flat.trees.size > context.limits.maxEntries) {
      throw new TenrecError("git-too-large", {
        what: "the number of files",
        size: flat.files.size + flat.trees.size,
        limit: context.limits.maxEntries,
      });
    }
  }
}

function checkNames(path: string, tree: readonly TreeEntry[]): void {
  const names = new Set<string>();
  // By name without its case: true when a link is among those of this name.
  const folded = new Map<string, boolean>();
  for (const { name, mode } of tree) {
    const full = path === "" ? name : `${path}/${name}`;
    if (names.has(name)) refuse(full, "there are two of this name");
    names.add(name);
    const other = folded.get(name.toLowerCase());
    const isLink = mode === "120000";
    // On a disk that ignores case, what is below the one would be written through the other.
    if (other !== undefined && (other || isLink)) refuse(full, "a link has this name in another case");
    folded.set(name.toLowerCase(), isLink);
  }
}

function fileMode(path: string, mode: string): number {
  switch (mode) {
    case "100755":
    case "120000":
    case "160000":
      return Number.parseInt(mode, 8);
    case "100644":
    // What old versions of git wrote.
    case "100664":
      return 0o100644;
    default:
      return refuse(path, `${quote(mode)} is no mode of a file`);
  }
}

function refuse(path: string, reason: string): never {
  throw new TenrecError("git-refused", { what: `the path ${quote(path)}`, reason });
}

/** Writes the trees for these files, those left out that `known` has under the same name. The name of the root's tree. */
export async function buildTrees(
  context: GitContext,
  files: ReadonlyMap<string, TrackedFile>,
  known: ReadonlyMap<string, string>,
): Promise<string> {
  const there = new Set(known.values());
  const root = newFolder();
  for (const [path, file] of files) {
    const names = path.split("/");
    const name = names.pop() ?? "";
    let folder = root;
    for (const part of names) {
      let next = folder.folders.get(part);
      if (next === undefined) folder.folders.set(part, (next = newFolder()));
      folder = next;
    }
    folder.files.set(name, file);
  }
  return writeFolder(context, root, there);
}

interface Folder {
  readonly files: Map<string, TrackedFile>;
  readonly folders: Map<string, Folder>;
}

function newFolder(): Folder {
  return { files: new Map(), folders: new Map() };
}

type TreeType = "commit" | "blob" | "tree";

async function writeFolder(context: GitContext, folder: Folder, there: ReadonlySet<string>): Promise<string> {
  await breathe(context);
  const tree: { mode: string; path: string; oid: string; type: TreeType }[] = [];
  for (const [path, child] of folder.folders) {
    tree.push({ mode: "040000", path, oid: await writeFolder(context, child, there), type: "tree" });
  }
  for (const [path, { mode, oid }] of folder.files) {
    tree.push({ mode: mode.toString(8), path, oid, type: mode === 0o160000 ? "commit" : "blob" });
  }
  const oid = treeId(tree);
  return there.has(oid) ? oid : writeTree({ ...context.repo, tree });
}

/** What the tree is called, without writing it: git sorts as if a directory's name ended with `/`. */
function treeId(tree: readonly { mode: string; path: string; oid: string }[]): string {
  const entries = tree.map(({ mode, path, oid }) => ({
    key: Buffer.from(mode === "040000" ? `${path}/` : path),
    bytes: Buffer.concat([Buffer.from(`${mode.replace(/^0/, "")} ${path}\0`), Buffer.from(oid, "hex")]),
  }));
  entries.sort((a, b) => Buffer.compare(a.key, b.key));
  return objectId("tree", Buffer.concat(entries.map(({ bytes }) => bytes)));
}
