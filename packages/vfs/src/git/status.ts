import { type GitContext } from "./context.ts";
import { flattenTree } from "./flat-tree.ts";
import { type GitIndex, readIndex, type TrackedFile } from "./index-file.ts";
import { blobIds, gitMode, type WorkFile } from "./oids.ts";
import { compareText } from "../path.ts";
import { mergeHead } from "./merge-head.ts";
import { headBranch, headCommit, requireRepository, treeOf } from "./refs.ts";
import { listWorkTree, SUBMODULE, workEntry } from "./work-tree.ts";

export type GitChange = "create" | "modify" | "delete";

/** A path that is not the same in the last commit, the index and the work tree. */
export interface GitStatusEntry {
  readonly path: string;
  /** What the next commit would do. */
  readonly staged?: GitChange;
  /** What the work tree has that the index has not. */
  readonly unstaged?: GitChange | "untracked";
  /** Left by a merge that had conflicts here. */
  readonly unmerged?: true;
}

export interface GitStatus {
  /** Absent when `HEAD` is a commit. */
  readonly branch?: string;
  /** Absent before the first commit. */
  readonly commit?: string;
  /** The other side of a merge that waits for its conflicts to be resolved and committed. */
  readonly merging?: string;
  /** Sorted by path. Ignored files are left out. */
  readonly entries: readonly GitStatusEntry[];
}

/** The last commit, the index and the work tree, all by what git calls their contents. */
export interface Comparison {
  readonly commit: string | undefined;
  readonly head: ReadonlyMap<string, TrackedFile>;
  /** Names of the last commit's trees by path. */
  readonly trees: ReadonlyMap<string, string>;
  readonly index: GitIndex;
  readonly work: ReadonlyMap<string, TrackedFile>;
  readonly workFiles: ReadonlyMap<string, WorkFile>;
}

export async function compare(context: GitContext): Promise<Comparison> {
  requireRepository(context);
  const commit = await headCommit(context);
  const { files: head, trees } = await flattenTree(context, await treeOf(context, commit));
  const index = readIndex(context);
  const workFiles = await listWorkTree(context, index.files);
  const oids = await blobIds(context, [...workFiles.values()]);
  const work = new Map<string, TrackedFile>();
  for (const [path, { entry }] of workFiles) {
    const oid = oids.get(`/${path}`);
    if (oid !== undefined) work.set(path, { mode: gitMode(entry), oid });
  }
  // A submodule is never fetched: its folder stands for it, and a missing one is no deletion.
  for (const [path, file] of index.files) {
    if (file.mode !== SUBMODULE) continue;
    const entry = workEntry(context, path);
    if (entry === undefined || entry.kind === "directory") work.set(path, file);
  }
  return { commit, head, trees, index, work, workFiles };
}

export async function status(context: GitContext): Promise<GitStatus> {
  const { commit, head, index, work } = await compare(context);
  const entries: GitStatusEntry[] = [];
  for (const path of new Set([...head.keys(), ...index.files.keys(), ...work.keys(), ...index.unmerged.keys()])) {
    const staged = changeOf(head.get(path), index.files.get(path));
    const unstaged = index.files.has(path)
      ? changeOf(index.files.get(path), work.get(path))
      : work.has(path) && "untracked";
    const unmerged = index.unmerged.has(path);
    if (unmerged) entries.push({ path: `/${path}`, unmerged });
    else if (staged || unstaged) {
      entries.push({ path: `/${path}`, ...(staged ? { staged } : {}), ...(unstaged ? { unstaged } : {}) });
    }
  }
  const branch = await headBranch(context);
  const merging = mergeHead(context);
  return {
    ...(branch === undefined ? {} : { branch }),
    ...(commit === undefined ? {} : { commit }),
    ...(merging === undefined ? {} : { merging }),
    entries: entries.sort((a, b) => compareText(a.path, b.path)),
  };
}

export function changeOf(before: TrackedFile | undefined, after: TrackedFile | undefined): GitChange | undefined {
  if (before === undefined) return after && "create";
  if (after === undefined) return "delete";
  return isSameFile(before, after) ? undefined : "modify";
}

export function isSameFile(a: TrackedFile | undefined, b: TrackedFile | undefined): boolean {
  return a?.oid === b?.oid && a?.mode === b?.mode;
}
