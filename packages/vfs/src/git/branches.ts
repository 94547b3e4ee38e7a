import { TenrecError } from "@tenrec/protocol";
import { deleteBranch, listBranches, setConfig, writeRef } from "isomorphic-git";
import { checkoutFiles } from "./checkout-files.ts";
import { planCheckout } from "./checkout-plan.ts";
import type { GitContext } from "./context.ts";
import { flattenTree } from "./flat-tree.ts";
import { checkBranchName, quote } from "./git-path.ts";
import { headBranch, headCommit, requireRepository, resolveCommit, treeOf } from "./refs.ts";
import { endMerge, requireNoMerge } from "./merge-head.ts";
import { compare } from "./status.ts";

export interface GitBranches {
  /** Absent when `HEAD` is a commit. */
  readonly current?: string;
  readonly local: readonly string[];
  /** As `origin/main`. */
  readonly remote: readonly string[];
}

export async function branches(context: GitContext): Promise<GitBranches> {
  requireRepository(context);
  const current = await headBranch(context);
  const local = await listBranches({ ...context.repo });
  const remotes = [...context.files.list("refs/remotes").keys()];
  const remote: string[] = [];
  for (const name of remotes) {
    const names = await listBranches({ ...context.repo, remote: name });
    remote.push(...names.filter((branch) => branch !== "HEAD").map((branch) => `${name}/${branch}`));
  }
  return { ...(current === undefined ? {} : { current }), local, remote };
}

/** A new branch at a commit, by default the current one. `request-invalid` when there is one of this name. */
export async function createBranch(context: GitContext, name: string, from = "HEAD"): Promise<string> {
  requireRepository(context);
  checkBranchName(name);
  const known = await listBranches({ ...context.repo });
  if (known.includes(name)) {
    throw new TenrecError("request-invalid", { reason: `there is a branch ${quote(name)} already` });
  }
  // A ref is a file, elsewhere too: no git could take both.
  const clash = known.find((branch) => branch.startsWith(`${name}/`) || name.startsWith(`${branch}/`));
  if (clash !== undefined) {
    throw new TenrecError("request-invalid", {
      reason: `a branch ${quote(name)} cannot be beside ${quote(clash)}; take another name`,
    });
  }
  const oid = await resolveCommit(context, from);
  await writeRef({ ...context.repo, ref: `refs/heads/${name}`, value: oid });
  return oid;
}

/** Its commits stay, and can be named by their id. `request-invalid` for the current branch. */
export async function removeBranch(context: GitContext, name: string): Promise<void> {
  requireRepository(context);
  checkBranchName(name);
  if ((await headBranch(context)) === name) {
    throw new TenrecError("request-invalid", {
      reason: `${quote(name)} is the current branch; check out another one first`,
    });
  }
  await deleteBranch({ ...context.repo, ref: name });
}

export interface CheckoutOptions {
  /** Makes the branch first, at `from` or the current commit. */
  readonly create?: boolean;
  readonly from?: string;
  /** Gives up changes of tracked files that are not committed. */
  readonly force?: boolean;
}

/**
 * Changes to a branch, or to a commit. Of a branch that only the remote `origin` has, a local one is made. Changes that
 * are not committed stay where both commits have the same file; `git-local-changes` where they would be lost.
 */
export async function checkout(context: GitContext, name: string, options: CheckoutOptions = {}): Promise<string> {
  requireRepository(context);
  if (!options.force) requireNoMerge(context);
  if (options.create) await createBranch(context, name, options.from);
  const isLocal = context.files.stat(`refs/heads/${name}`) !== undefined || (await isPackedBranch(context, name));
  if (!isLocal && context.files.stat(`refs/remotes/origin/${name}`)) {
    await createBranch(context, name, `refs/remotes/origin/${name}`);
    await trackBranch(context, name, "origin");
  } else if (!isLocal) {
    return checkoutCommit(context, name, options.force ?? false);
  }
  const oid = await resolveCommit(context, `refs/heads/${name}`);
  await switchFiles(context, oid, options.force ?? false);
  await writeRef({ ...context.repo, ref: "HEAD", value: `refs/heads/${name}`, symbolic: true, force: true });
  return oid;
}

async function isPackedBranch(context: GitContext, name: string): Promise<boolean> {
  return (await listBranches({ ...context.repo })).includes(name);
}

async function checkoutCommit(context: GitContext, name: string, force: boolean): Promise<string> {
  const oid = await resolveCommit(context, name);
  await switchFiles(context, oid, force);
  if (name !== "HEAD") await writeRef({ ...context.repo, ref: "HEAD", value: oid, force: true });
  return oid;
}

/** Makes index and work tree those of a commit; with `force`, that is also the end of a merge with conflicts. */
export async function switchFiles(context: GitContext, commit: string, force: boolean): Promise<void> {
  if (force) endMerge(context);
  const compared = await compare(context);
  const { files } = await flattenTree(context, await treeOf(context, commit));
  await checkoutFiles(context, planCheckout(compared, files, force), force);
}

/** Remembers which branch of a remote `pull` and `push` mean. */
export async function trackBranch(context: GitContext, branch: string, remote: string): Promise<void> {
  await setConfig({ ...context.repo, path: `branch.${branch}.remote`, value: remote });
  await setConfig({ ...context.repo, path: `branch.${branch}.merge`, value: `refs/heads/${branch}` });
}

/**
 * Moves the current branch to a commit and makes index and work tree its own: commits behind it are only reachable by
 * their id. `git-local-changes` without `force`.
 */
export async function resetTo(context: GitContext, name: string, force: boolean): Promise<string> {
  requireRepository(context);
  if (!force) requireNoMerge(context);
  const oid = await resolveCommit(context, name);
  await switchFiles(context, oid, force);
  const branch = await headBranch(context);
  if ((await headCommit(context)) !== oid) {
    await writeRef({ ...context.repo, ref: branch ? `refs/heads/${branch}` : "HEAD", value: oid, force: true });
  }
  return oid;
}
