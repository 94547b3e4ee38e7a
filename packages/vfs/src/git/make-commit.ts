import { TenrecError } from "@tenrec/protocol";
import { type CommitObject, readCommit, writeCommit, writeRef } from "isomorphic-git";
import type { GitContext } from "./context.ts";
import { missingAuthor } from "./git-error.ts";
import { buildTrees, flattenTree } from "./flat-tree.ts";
import type { GitAuthor } from "./git-options.ts";
import { readIndex } from "./index-file.ts";
import { endMerge, mergeHead } from "./merge-head.ts";
import { headBranch, headCommit, requireRepository, treeOf } from "./refs.ts";

export interface CommitOptions {
  readonly message: string;
  /** With the time, if that is another one than now. */
  readonly author?: GitAuthor & { readonly timestamp?: number; readonly timezoneOffset?: number };
  /** Default: that of the repository, or else the author. */
  readonly committer?: GitAuthor;
  /** A commit with the same files as the one before it is refused without this. */
  readonly allowEmpty?: boolean;
  /** Replaces the last commit: its parents and its author stay, and its message where none is given. */
  readonly amend?: boolean;
}

export interface GitSignature extends GitAuthor {
  readonly timestamp: number;
  readonly timezoneOffset: number;
}

/** `not-configured` without an author, `request-invalid` for one that would break the commit's format. */
export function signature(context: GitContext, author: GitAuthor | undefined = context.options.author): GitSignature {
  if (author === undefined) throw missingAuthor();
  for (const text of [author.name, author.email]) {
    // A line feed would begin another header.
    if (/[\p{Cc}<>]/u.test(text) || text === "") {
      throw new TenrecError("request-invalid", { reason: "a name or an address of an author has <, > or a line feed" });
    }
  }
  return { name: author.name, email: author.email, timestamp: Math.floor(context.now() / 1000), timezoneOffset: 0 };
}

/**
 * Commits what the index has; after a merge with conflicts, as its end. `git-conflict` while there are some.
 * `request-invalid` for nothing to commit or an empty message. The commit's id.
 */
export async function makeCommit(context: GitContext, options: CommitOptions): Promise<string> {
  requireRepository(context);
  const replaced = options.amend ? await lastCommit(context) : undefined;
  const message = (options.message || replaced?.message || "").replaceAll("\0", "").trim();
  if (message === "") throw new TenrecError("request-invalid", { reason: "a commit needs a message" });
  const people = peopleOf(context, options, replaced);
  const { files, unmerged } = readIndex(context);
  if (unmerged.size > 0)
    throw new TenrecError("git-conflict", { paths: Array.from(unmerged.keys(), (path) => `/${path}`) });
  const parent = await headCommit(context);
  const before = await treeOf(context, parent);
  const { trees } = await flattenTree(context, before);
  const tree = await buildTrees(context, files, trees);
  const other = mergeHead(context);
  if (
    !options.allowEmpty &&
    !replaced &&
    other === undefined &&
    (before === undefined ? files.size === 0 : tree === before)
  ) {
    throw new TenrecError("request-invalid", { reason: "there is nothing to commit; add files first" });
  }
  const commit = {
    message: `${message}\n`,
    tree,
    parent: replaced ? replaced.parent : [parent, other].filter((id) => id !== undefined),
    ...people,
  };
  const oid = await writeCommit({ ...context.repo, commit });
  await moveHead(context, oid);
  endMerge(context);
  return oid;
}

/** A commit that replaces one keeps its author, or at least when that was. */
function peopleOf(
  context: GitContext,
  { author: given, committer }: CommitOptions,
  replaced: CommitObject | undefined,
): Pick<CommitObject, "author" | "committer"> {
  const by = signature(context, committer ?? context.options.author ?? given);
  if (replaced && !given) return { author: replaced.author, committer: by };
  const stamp = given?.timestamp === undefined ? replaced?.author : { timezoneOffset: 0, ...given };
  const author = signature(context, given);
  const { timestamp = author.timestamp, timezoneOffset = author.timezoneOffset } = stamp ?? {};
  return { author: { ...author, timestamp, timezoneOffset }, committer: by };
}

async function lastCommit(context: GitContext): Promise<CommitObject> {
  const oid = await headCommit(context);
  if (oid === undefined) throw new TenrecError("request-invalid", { reason: "there is no commit to amend" });
  return (await readCommit({ ...context.repo, oid })).commit;
}

/** Sets the current branch, or `HEAD` itself when it is a commit. */
export async function moveHead(context: GitContext, oid: string): Promise<void> {
  const branch = await headBranch(context);
  const ref = branch === undefined ? "HEAD" : `refs/heads/${branch}`;
  await writeRef({ ...context.repo, ref, value: oid, force: true });
}
