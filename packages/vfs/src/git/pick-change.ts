import { TenrecError } from "@tenrec/protocol";
import { merge as mergeCommits, writeCommit, writeTree } from "isomorphic-git";
import { binaryConflicts } from "./binary-conflicts.ts";
import { switchFiles } from "./branches.ts";
import type { GitContext } from "./context.ts";
import { requireNoMerge } from "./merge-head.ts";
import { conflictsOf } from "./merge.ts";
import { headCommit, requireRepository, resolveCommit, treeOf } from "./refs.ts";

const NOBODY = { name: "nobody", email: "nobody@localhost", timestamp: 0, timezoneOffset: 0 };

/**
 * Makes the change between two commits again, on what is checked out: in the index and the work tree, for the next commit.
 * Without `from` all of `to` is new. `git-conflict`, with nothing changed, where both did something to the same place.
 */
export async function pickChange(context: GitContext, from: string | undefined, to: string): Promise<void> {
  requireRepository(context);
  requireNoMerge(context);
  const head = await headCommit(context);
  const base = from === undefined ? await writeTree({ ...context.repo, tree: [] }) : await treeOf(context, from);
  // The library merges commits, so the trees get some: two that come from a third one.
  const commit = (tree: string | undefined, parent: string[], message: string): Promise<string> =>
    writeCommit({
      ...context.repo,
      commit: { tree: tree ?? "", parent, message, author: NOBODY, committer: NOBODY },
    });
  const root = await commit(base, [], "base\n");
  const ours = await commit(await treeOf(context, head), [root], "ours\n");
  const theirs = await commit(await treeOf(context, await resolveCommit(context, to)), [root], "theirs\n");
  const binary = await binaryConflicts(context, ours, theirs);
  if (binary.length > 0) throw conflict(binary);
  try {
    const { oid } = await mergeCommits({
      ...context.repo,
      ours,
      theirs,
      fastForward: false,
      abortOnConflict: true,
      noUpdateBranch: true,
      message: "picked\n",
      author: NOBODY,
      committer: NOBODY,
    });
    await switchFiles(context, oid ?? ours, false);
  } catch (error) {
    const paths = conflictsOf(error);
    throw paths ? conflict(paths) : error;
  }
}

function conflict(paths: readonly string[]): TenrecError<"git-conflict"> {
  return new TenrecError("git-conflict", { paths: paths.map((path) => `/${path}`) });
}
