import { TenrecError } from "@tenrec/protocol";
import { fetch as fetchObjects, writeRef } from "isomorphic-git";
import { switchFiles, trackBranch } from "./branches.ts";
import { type GitContext, progressOf } from "./context.ts";
import { checkBranchName, isRefName, quote } from "./git-path.ts";
import { addRemote, init } from "./remotes.ts";
import { connect, type Connection } from "./http-client.ts";
import { resolveCommit } from "./refs.ts";
import { checkRemoteUrl } from "./remote-url.ts";

/** Commits behind each branch: enough to find what two branches have in common, most of the time. */
export const DEFAULT_DEPTH = 50;
const REMOTE = "origin";

export interface CloneOptions {
  readonly url: string;
  /** A branch or a tag; default what the server has as `HEAD`. */
  readonly branch?: string;
  /** Commits of history; default 50. `"full"` for all. */
  readonly depth?: number | "full";
  /** Default true: the other branches are left out. */
  readonly singleBranch?: boolean;
  /** Default false. */
  readonly tags?: boolean;
}

export interface Cloned {
  /** Absent for a tag. */
  readonly branch?: string;
  /** Absent when the server's repository is empty. */
  readonly commit?: string;
}

/**
 * Brings a repository here as the remote `origin`, and its files into the work tree. Files that are there stay;
 * `git-local-changes` when one is in the way. Submodules are not fetched, their folders stay empty. `request-invalid`
 * when there is a repository already.
 */
export async function clone(context: GitContext, options: CloneOptions): Promise<Cloned> {
  const url = checkRemoteUrl(options.url, context.options.insecureHosts);
  if (context.files.stat("HEAD")) {
    throw new TenrecError("request-invalid", { reason: "there is a repository here already; fetch into it" });
  }
  const asked = options.branch;
  if (asked !== undefined && !isRefName(asked)) checkBranchName(asked);
  const connection = connect(context, url);
  await init(context);
  await addRemote(context, REMOTE, url.href);
  const depth = depthOf(options.depth ?? DEFAULT_DEPTH);
  const { defaultBranch, fetchHead } = await fetchObjects({
    ...context.repo,
    onProgress: progressOf(context),
    http: connection.http,
    remote: REMOTE,
    singleBranch: options.singleBranch ?? true,
    tags: options.tags ?? false,
    ...(depth === undefined ? {} : { depth }),
    ...(asked === undefined ? {} : { ref: asked, remoteRef: asked }),
  });
  if (fetchHead === null) return {};
  return startAt(context, connection, asked ?? defaultBranch ?? "HEAD", fetchHead);
}

async function startAt(context: GitContext, connection: Connection, name: string, tip: string): Promise<Cloned> {
  const branch = name.replace(/^refs\/heads\//, "");
  const commit = await resolveCommit(context, tip);
  if (!connection.refs.has(`refs/heads/${branch}`)) {
    await switchFiles(context, commit, false);
    await writeRef({ ...context.repo, ref: "HEAD", value: commit, force: true });
    return { commit };
  }
  checkBranchName(branch);
  await switchFiles(context, commit, false);
  await writeRef({ ...context.repo, ref: `refs/heads/${branch}`, value: commit, force: true });
  await writeRef({ ...context.repo, ref: "HEAD", value: `refs/heads/${branch}`, symbolic: true, force: true });
  await trackBranch(context, branch, REMOTE);
  return { branch, commit };
}

/** `request-invalid` for what is no number of commits. */
export function depthOf(depth: number | "full"): number | undefined {
  if (depth === "full") return undefined;
  if (Number.isSafeInteger(depth) && depth > 0) return depth;
  throw new TenrecError("request-invalid", { reason: `${quote(String(depth))} is no number of commits` });
}
