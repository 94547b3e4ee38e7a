import { TenrecError } from "@tenrec/protocol";
import { push as pushObjects } from "isomorphic-git";
import { trackBranch } from "./branches.ts";
import type { GitContext } from "./context.ts";
import { upstreamOf } from "./fetch.ts";
import { asLibraryError, asText, clean } from "./git-error.ts";
import type { GitEffect } from "./git-options.ts";
import { checkBranchName } from "./git-path.ts";
import { connect, readRefs } from "./http-client.ts";
import { headBranch, requireRepository, resolveCommit } from "./refs.ts";
import { remoteUrl } from "./remotes.ts";
import { checkRemoteUrl } from "./remote-url.ts";

export interface PushOptions {
  readonly remote?: string;
  /** The local branch; default the current one. */
  readonly branch?: string;
  /** The branch on the server; default the one that it follows, or the same name. */
  readonly to?: string;
  /** Replaces what the server has at this moment, whatever it is. */
  readonly force?: boolean;
}

export interface Pushed {
  readonly remote: string;
  readonly ref: string;
  readonly before?: string;
  readonly after: string;
}

const NO_OBJECT = "0".repeat(40);

/**
 * Sends the commits of a branch to a server. `git-push-rejected` when the server has commits that are not here. Before
 * anything is sent, `onEffect` is awaited; nothing is sent, and it is not called, when the server has everything.
 */
export async function push(context: GitContext, options: PushOptions = {}): Promise<Pushed> {
  requireRepository(context);
  const branch = options.branch ?? (await headBranch(context));
  if (branch === undefined)
    throw new TenrecError("request-invalid", { reason: "HEAD is no branch; name a branch to push" });
  checkBranchName(branch);
  const upstream = await upstreamOf(context, { ...options, branch: options.to ?? branch });
  const url = await remoteUrl(context, upstream.remote);
  const after = await resolveCommit(context, `refs/heads/${branch}`);
  const ref = `refs/heads/${upstream.branch}`;
  let before: string | undefined;
  const connection = connect(context, url, async () => {
    await context.options.onEffect?.(effectOf(url.href, ref, before, after));
  });
  let isThere = false;
  const pushing = pushObjects({
    ...context.repo,
    http: connection.http,
    remote: upstream.remote,
    url: url.href,
    ref: `refs/heads/${branch}`,
    remoteRef: ref,
    force: options.force ?? false,
    onPrePush: ({ remoteRef }) => {
      before = remoteRef.oid === NO_OBJECT ? undefined : remoteRef.oid;
      isThere = before === after;
      return !isThere;
    },
    ...(context.options.signal ? { signal: context.options.signal } : {}),
  });
  await pushing.catch((error: unknown) => {
    if (!isThere) throw rejection(context, ref, error) ?? error;
  });
  if (upstream.branch === branch) await trackBranch(context, branch, upstream.remote);
  return { remote: upstream.remote, ref, ...(before === undefined ? {} : { before }), after };
}

function rejection(context: GitContext, ref: string, error: unknown): TenrecError | undefined {
  const { code, data, message } = asLibraryError(error);
  if (code === "PushRejectedError") {
    return new TenrecError("git-push-rejected", {
      ref,
      reason: "the server has commits that are not in this branch; pull first",
    });
  }
  if (code !== "GitPushError") return undefined;
  const reason = clean(context, asText(data["prettyDetails"], message));
  const hint = context.files.stat("shallow")
    ? '; the history here is shallow, fetch with depth "full" if that is missing'
    : "";
  return new TenrecError("git-push-rejected", { ref, reason: reason + hint });
}

function effectOf(url: string, ref: string, before: string | undefined, after: string): GitEffect {
  return { kind: "push", url, ref, ...(before === undefined ? {} : { before }), after };
}

/** Where a push that was cut off ended: `changed` when the server has a third thing by now. */
export type PushOutcome = "arrived" | "not-arrived" | "changed";

/** Asks the server whether an effect that was told to `onEffect` happened. */
export async function outcomeOf(context: GitContext, effect: GitEffect): Promise<PushOutcome> {
  const refs = await readRefs(context, checkRemoteUrl(effect.url, context.options.insecureHosts));
  const now = refs.get(effect.ref);
  if (now === effect.after) return "arrived";
  return now === effect.before ? "not-arrived" : "changed";
}
