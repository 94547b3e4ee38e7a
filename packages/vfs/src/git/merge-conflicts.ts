import type { GitStages } from "@tenrec/protocol";
import { merge as mergeCommits, writeBlob } from "isomorphic-git";
import { EMPTY_TREE } from "../node-store.ts";
import { Overlay } from "../overlay/overlay.ts";
import { createState } from "../overlay/state.ts";
import { checkoutFiles } from "./checkout-files.ts";
import { planCheckout } from "./checkout-plan.ts";
import type { GitContext } from "./context.ts";
import { flattenTree } from "./flat-tree.ts";
import { createGitFileSystem } from "./git-file-system.ts";
import { createGitFs } from "./git-fs.ts";
import { readIndex, type TrackedFile, writeIndex } from "./index-file.ts";
import type { GitSignature } from "./make-commit.ts";
import { blobIds, gitMode, type WorkFile } from "./oids.ts";
import { mergeBase, treeOf } from "./refs.ts";
import { compare } from "./status.ts";
import { walkFiles } from "./work-tree.ts";

export interface ConflictedMerge {
  readonly ours: string;
  readonly theirs: string;
  readonly message: string;
  /** Paths with conflicts, as the library names them. */
  readonly paths: readonly string[];
  /** Those among them that are no text. */
  readonly binary: readonly string[];
  readonly author: GitSignature;
  /** What conflicts call the other side. */
  readonly label: string;
}

/**
 * Brings a merge with conflicts into the work tree: what could be merged is staged, the rest has git's conflict marks and
 * is unmerged in the index. `git-local-changes` when that would overwrite something. The next commit has two parents.
 */
export async function keepConflicts(context: GitContext, merging: ConflictedMerge): Promise<void> {
  const { ours, theirs } = merging;
  const merged = await mergedFiles(context, merging);
  const base = await mergeBase(context, ours, theirs);
  const [inBase, inOurs, inTheirs] = await Promise.all(
    [base, ours, theirs].map(async (commit) => (await flattenTree(context, await treeOf(context, commit))).files),
  );
  for (const path of merging.binary) {
    const mine = inOurs?.get(path);
    if (mine) merged.set(path, mine);
  }
  const compared = await compare(context);
  const plan = planCheckout(compared, merged, false);
  await checkoutFiles(context, plan, false);
  const { files } = readIndex(context);
  const unmerged = new Map<string, GitStages>();
  for (const path of merging.paths) {
    files.delete(path);
    unmerged.set(path, [inBase?.get(path), inOurs?.get(path), inTheirs?.get(path)]);
  }
  writeIndex(context, { files, unmerged });
  const encoder = new TextEncoder();
  context.files.write("MERGE_HEAD", encoder.encode(`${theirs}\n`));
  context.files.write("MERGE_MSG", encoder.encode(merging.message));
}

// The library can tell what a merge with conflicts looks like in one way only: by writing all of it into a work tree.
// It gets one that is thrown away, so that nothing is overwritten; the objects that it makes stay.
async function mergedFiles(context: GitContext, merging: ConflictedMerge): Promise<Map<string, TrackedFile>> {
  const index = context.files.read("index");
  const scratch = new Overlay(createState(context.state, EMPTY_TREE, context.state.maxBytes));
  const fs = createGitFs(createGitFileSystem(scratch, context.files), context.hooks);
  const clean = await mergeCommits({
    ...context.repo,
    fs,
    ours: merging.ours,
    theirs: merging.theirs,
    abortOnConflict: false,
    noUpdateBranch: true,
    author: merging.author,
    committer: merging.author,
  }).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "MergeConflictError")) throw error;
    return undefined;
  });
  if (index) context.files.write("index", index);
  else context.files.remove("index");
  // Files that are no text are all that there is.
  if (clean) return (await flattenTree(context, clean.tree)).files;
  for (const path of merging.paths)
    if (!merging.binary.includes(path)) await nameSides(context, scratch, `/${path}`, merging);
  const found = [...walkFiles(scratch)].map(([path, entry]): WorkFile => ({ path, entry }));
  const oids = await blobIds(context, found);
  const merged = new Map<string, TrackedFile>();
  for (const { path, entry } of found) merged.set(path.slice(1), { mode: gitMode(entry), oid: oids.get(path) ?? "" });
  return merged;
}

// The library names the sides as they were given to it, which are ids: no line of a file looks like that by chance.
async function nameSides(
  context: GitContext,
  scratch: Overlay,
  path: string,
  { ours, theirs, label }: ConflictedMerge,
): Promise<void> {
  const text = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(await scratch.readFileBytes(path));
  const named = text
    .replaceAll(`<<<<<<< ${ours}\n`, "<<<<<<< HEAD\n")
    .replaceAll(`>>>>>>> ${theirs}\n`, () => `>>>>>>> ${label}\n`);
  if (named === text) return;
  const blob = new TextEncoder().encode(named);
  await writeBlob({ ...context.repo, blob });
  await scratch.writeFileBytes(path, blob);
}
