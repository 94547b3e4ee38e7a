import { TenrecError } from "@tenrec/protocol";
import { merge as mergeCommits, type MergeResult } from "isomorphic-git";
import { binaryConflicts } from "./binary-conflicts.ts";
import { switchFiles } from "./branches.ts";
import type { GitContext } from "./context.ts";
import { fetch, type Fetched, type FetchOptions } from "./fetch.ts";
import type { GitAuthor } from "./git-options.ts";
import { signature, moveHead } from "./make-commit.ts";
import { type ConflictedMerge, keepConflicts } from "./merge-conflicts.ts";
import { requireNoMerge } from "./merge-head.ts";
import { headBranch, headCommit, requireRepository, resolveCommit } from "./refs.ts";

export interface MergeOptions {
  /** Refuses when a merge commit would be needed. */
  readonly fastForwardOnly?: boolean;
  /** A merge commit where the branch could be moved on, too. */
  readonly noFastForward?: boolean;
  readonly message?: string;
  readonly author?: GitAuthor;
  /**
   * Files that were changed on both sides in the same place: `refuse` (default) changes nothing and is `git-conflict`;
   * `keep` puts both sides into the files, to be resolved, added and committed; what is no text in UTF-8 stays ours.
   */
  readonly conflicts?: "refuse" | "keep";
  /** What conflicts call the other side, ours being `HEAD`; default: the commit as it was named. */
  readonly label?: string;
}

export interface Merged {
  /** What the branch is at. */
  readonly commit: string;
  /** `none` when the other side has nothing new; `conflict` when it has to be committed yet. */
  readonly kind: "none" | "fast-forward" | "merge" | "conflict";
  /** Paths to be resolved. */
  readonly conflicts?: readonly string[];
}

/**
 * Joins a commit into the current branch. `unsupported` for a file on one side that is a directory on the other, and when
 * there is no single common ancestor, which a shallow history may lack.
 */
export async function merge(context: GitContext, name: string, options: MergeOptions = {}): Promise<Merged> {
  requireRepository(context);
  requireNoMerge(context);
  const theirs = await resolveCommit(context, name);
  const ours = await headCommit(context);
  if (ours === undefined) {
    await switchFiles(context, theirs, false);
    await moveHead(context, theirs);
    return { commit: theirs, kind: "fast-forward" };
  }
  const branch = await headBranch(context);
  const into = branch === undefined ? ours : `refs/heads/${branch}`;
  const from = name === theirs ? theirs.slice(0, 7) : `'${name}'`;
  const message = options.message ?? `Merge ${from} into ${branch ?? "HEAD"}\n`;
  const result = await mergeObjects(context, { ours, into, theirs, message }, options);
  if ("paths" in result) {
    const author = signature(context, options.author ?? context.options.author);
    await keepConflicts(context, { ...result, ours, theirs, message, author, label: options.label ?? name });
    return { commit: ours, kind: "conflict", conflicts: result.paths.map((path) => `/${path}`) };
  }
  const commit = result.oid ?? ours;
  if (result.alreadyMerged) return { commit, kind: "none" };
  await switchFiles(context, commit, false);
  await moveHead(context, commit);
  return { commit, kind: result.fastForward ? "fast-forward" : "merge" };
}

interface Sides {
  readonly ours: string;
  readonly into: string;
  readonly theirs: string;
  readonly message: string;
}

/** Makes the merged commit, of which no ref knows yet. */
async function mergeObjects(
  context: GitContext,
  { ours, into, theirs, message }: Sides,
  { fastForwardOnly = false, noFastForward = false, conflicts, author }: MergeOptions,
): Promise<MergeResult | Pick<ConflictedMerge, "paths" | "binary">> {
  const binary = fastForwardOnly ? [] : await binaryConflicts(context, ours, theirs);
  if (binary.length > 0 && conflicts !== "keep") {
    throw new TenrecError("git-conflict", { paths: binary.map((path) => `/${path}`) });
  }
  // A fast-forward needs no author, so a missing one is no error yet.
  const known = author ?? context.options.author;
  const who = known && signature(context, known);
  try {
    const result = await mergeCommits({
      ...context.repo,
      ours: into,
      theirs,
      fastForward: !noFastForward,
      fastForwardOnly,
      abortOnConflict: true,
      noUpdateBranch: true,
      message,
      ...(who ? { author: who, committer: who } : {}),
    });
    return binary.length > 0 ? { paths: binary, binary } : result;
  } catch (error) {
    const paths = conflicts === "keep" ? conflictsOf(error) : undefined;
    if (paths === undefined) throw error;
    return { paths: [...new Set([...paths, ...binary])].sort(), binary };
  }
}

/** The paths of an error of the library that is about a conflict. */
export function conflictsOf(error: unknown): readonly string[] | undefined {
  if (!(error instanceof Error && "code" in error && error.code === "MergeConflictError" && "data" in error))
    return undefined;
  const { filepaths } = error.data as { filepaths: readonly string[] };
  return [...filepaths].sort();
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
