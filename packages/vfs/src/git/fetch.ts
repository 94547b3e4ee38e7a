import { TenrecError } from "@tenrec/protocol";
import { fetch as fetchObjects, getConfig } from "isomorphic-git";
import { DEFAULT_DEPTH, depthOf } from "./clone.ts";
import { type GitContext, progressOf } from "./context.ts";
import { flattenTree } from "./flat-tree.ts";
import { checkBranchName } from "./git-path.ts";
import { connect } from "./http-client.ts";
import { headBranch, resolveCommit, treeOf } from "./refs.ts";
import { remoteUrl } from "./remotes.ts";

export interface FetchOptions {
  /** Default: the one of the current branch, or `origin`. */
  readonly remote?: string;
  /** A branch of the remote; default what the current branch follows. */
  readonly branch?: string;
  /** Every branch instead. */
  readonly all?: boolean;
  /** Commits of history; default what there is, and 50 for a branch that is new here. `"full"` makes a shallow clone whole. */
  readonly depth?: number | "full";
  readonly tags?: boolean;
  /** Forgets branches that the remote has no longer. With `all` only. */
  readonly prune?: boolean;
}

export interface Fetched {
  readonly remote: string;
  /** The remote's branch. */
  readonly branch: string;
  /** What it is at; absent when the server's repository is empty. */
  readonly commit?: string;
}

/** More than git's own "infinite" depth is not understood by servers. */
const WHOLE_HISTORY = 0x7fffffff;

/** Brings commits here, and sets `refs/remotes/…`; neither branches nor files of the work tree change. */
export async function fetch(context: GitContext, options: FetchOptions = {}): Promise<Fetched> {
  const { remote, branch } = await upstreamOf(context, options);
  const url = await remoteUrl(context, remote);
  const { http } = connect(context, url);
  const isNew = context.files.stat(`refs/remotes/${remote}/${branch}`) === undefined;
  const isShallow = context.files.stat("shallow") !== undefined;
  const wanted = options.depth ?? (isNew && isShallow ? DEFAULT_DEPTH : undefined);
  const wholeDepth = isShallow ? WHOLE_HISTORY : undefined;
  const depth = wanted === undefined || wanted === "full" ? wanted && wholeDepth : depthOf(wanted);
  const { fetchHead } = await fetchObjects({
    ...context.repo,
    onProgress: progressOf(context),
    http,
    remote,
    url: url.href,
    ref: branch,
    remoteRef: branch,
    singleBranch: !options.all,
    tags: options.tags ?? false,
    prune: (options.all && options.prune) ?? false,
    ...(depth === undefined ? {} : { depth }),
  });
  if (fetchHead === null) return { remote, branch };
  // Whatever the server sent: what cannot be checked out is not taken in.
  const commit = await resolveCommit(context, fetchHead);
  await flattenTree(context, await treeOf(context, commit));
  return { remote, branch, commit };
}

/** Which branch of which remote is meant. `request-invalid` when `HEAD` is a commit and nothing is named. */
export async function upstreamOf(
  context: GitContext,
  options: { readonly remote?: string; readonly branch?: string },
): Promise<{ remote: string; branch: string }> {
  const current = await headBranch(context);
  const config = async (key: string): Promise<string | undefined> => {
    if (current === undefined) return undefined;
    const value: unknown = await getConfig({ ...context.repo, path: `branch.${current}.${key}` });
    return typeof value === "string" ? value : undefined;
  };
  const remote = options.remote ?? (await config("remote")) ?? "origin";
  const branch = options.branch ?? (await config("merge"))?.replace(/^refs\/heads\//, "") ?? current;
  if (branch === undefined) {
    throw new TenrecError("request-invalid", { reason: "HEAD is no branch; name the branch of the remote" });
  }
  checkBranchName(branch);
  return { remote, branch };
}
