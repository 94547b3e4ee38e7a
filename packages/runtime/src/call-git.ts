import type { EffectEvent } from "@tenrec/protocol";
import { parsePublicUrl } from "@tenrec/tools";
import type { Overlay } from "@tenrec/vfs";
import { createGit, type Git, GitStore, readGitAuthor, readGitCredentials } from "@tenrec/vfs/git";
import type { GitSettings } from "./agent-config.ts";
import type { Workspace } from "./workspace.ts";

/** What a Worker's variables say: see `readGitAuthor` and `readGitCredentials`. */
export function gitSettings(env: object): GitSettings {
  const variables = Object.fromEntries(Object.entries(env));
  return { author: readGitAuthor(variables), credentials: readGitCredentials(variables) };
}

interface GitCall {
  readonly overlay: Overlay;
  /** The head whose files it is about; its repository has the same name. */
  readonly head: string;
  readonly signal: AbortSignal;
  readonly onEffect: (target: string, kind: EffectEvent["kind"]) => void;
}

/** The repositories of a workspace. Creates their tables when they are missing. */
export function gitStore({ storage, clock }: Pick<Workspace, "storage" | "clock">): GitStore {
  return new GitStore(storage, { now: () => clock.now() });
}

/** Git for one call. What it does is kept by `rows`, in the transaction that commits the call's tree. */
export function openGit(workspace: Workspace, { overlay, head, signal, onEffect }: GitCall): Git {
  const { author, credentials } = workspace.config.git;
  const { fetch = globalThis.fetch, localHosts = [] } = workspace.config.network;
  return createGit({
    store: gitStore(workspace),
    repository: head,
    overlay,
    signal,
    insecureHosts: localHosts,
    fetch: (url, init) => fetch(parsePublicUrl(url, localHosts).href, init),
    onEffect: ({ url, ref, before, after }) =>
      onEffect(`git push ${url} ${ref} ${before ?? "(new)"}..${after}`, "network"),
    ...(author ? { author } : {}),
    ...(credentials ? { credentials } : {}),
  });
}
