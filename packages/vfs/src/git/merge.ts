import { merge as mergeCommits } from "isomorphic-git";
import { switchFiles } from "./branches.ts";
import type { GitContext } from "./context.ts";
import { fetch, type Fetched, type FetchOptions } from "./fetch.ts";
import type { GitAuthor } from "./git-options.ts";
import { signature, moveHead } from "./make-commit.ts";
import { headBranch, headCommit, requireRepository, resolveCommit } from "./refs.ts";

export interface MergeOptions {
  /** Refuses when a merge commit would be needed. */
  readonly fastForwardOnly?: boolean;
  readonly message?: string;
  readonly author?: GitAuthor;
}

export interface Merged {
  readonly commit: string;
  /** `none` when the other side has nothing new. */
  readonly kind: "none" | "fast-forward" | "merge";
}

/**
 * Joins a commit into the current branch. `git-conflict` for files that were changed on both sides in the same place:
 * then nothing has changed. `unsupported` when both sides added a file, or when there is no single common ancestor.
 */
export async function merge(context: GitContext, name: string, options: MergeOptions = {}): Promise<Merged> {
  requireRepository(context);
  const theirs = await resolveCommit(context, name);
  const ours = await headCommit(context);
  if (ours === undefined) {
    await switchFiles(context, theirs, false);
    await moveHead(context, theirs);
    return { commit: theirs, kind: "fast-forward" };
  }
  const branch = await headBranch(context);
  // Asked for late: a fast-forward needs none.
  const author = options.author ?? context.options.author;
  const who = author && signature(context, author);
  const into = branch ?? "HEAD";
  const result = await mergeCommits({
    ...context.repo,
    ours: branch === undefined ? ours : `refs/heads/${branch}`,
    theirs,
    fastForwardOnly: options.fastForwardOnly ?? false,
    abortOnConflict: true,
    noUpdateBranch: true,
    message: options.message ?? `Merge ${name === theirs ? theirs.slice(0, 7) : `'${name}'`} into ${into}\n`,
    ...(who ? { author: who, committer: who } : {}),
  });
  const commit = result.oid ?? ours;
  if (result.alreadyMerged) return { commit, kind: "none" };
  await switchFiles(context, commit, false);
  await moveHead(context, commit);
  return { commit, kind: result.fastForward ? "fast-forward" : "merge" };
}

export interface PullOptions extends MergeOptions, Pick<FetchOptions, "remote" | "branch" | "depth"> {}

/** `fetch`, then `merge` of what came. */
export async function pull(
  context: GitContext,
  options: PullOptions = {},
): Promise<Merged & { readonly fetched: Fetched }> {
  const fetched = await fetch(context, options);
  if (fetched.commit === undefined) {
    return { fetched, commit: (await headCommit(context)) ?? "", kind: "none" };
  }
  const message = options.message ?? `Merge branch '${fetched.branch}' of ${fetched.remote}\n`;
  return { fetched, ...(await merge(context, fetched.commit, { ...options, message })) };
}
