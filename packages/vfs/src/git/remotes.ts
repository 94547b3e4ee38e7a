import { TenrecError } from "@tenrec/protocol";
import { addRemote as writeRemote, deleteRemote, getConfig, init as initRepository, listRemotes } from "isomorphic-git";
import type { GitContext } from "./context.ts";
import { checkBranchName, isRefName, quote } from "./git-path.ts";
import { requireRepository } from "./refs.ts";
import { checkRemoteUrl } from "./remote-url.ts";

export interface GitRemote {
  readonly name: string;
  readonly url: string;
}

/** An empty repository over the files that are there. Nothing happens where there is one. */
export async function init(context: GitContext, branch = "main"): Promise<void> {
  checkBranchName(branch);
  if (context.files.stat("HEAD")) return;
  await initRepository({ ...context.repo, defaultBranch: branch });
}

export async function remotes(context: GitContext): Promise<GitRemote[]> {
  requireRepository(context);
  return (await listRemotes({ ...context.repo })).map(({ remote, url }) => ({ name: remote, url }));
}

/** The URL is checked as for `clone`. Replaces one of this name. */
export async function addRemote(context: GitContext, name: string, url: string): Promise<void> {
  requireRepository(context);
  checkRemoteName(name);
  const { href } = checkRemoteUrl(url, context.options.insecureHosts);
  await writeRemote({ ...context.repo, remote: name, url: href, force: true });
}

export async function removeRemote(context: GitContext, name: string): Promise<void> {
  await remoteUrl(context, name);
  await deleteRemote({ ...context.repo, remote: name });
  context.files.remove(`refs/remotes/${name}`);
}

/** Where a remote is. Checked again, since the file that says so may have come from elsewhere. */
export async function remoteUrl(context: GitContext, name: string): Promise<URL> {
  requireRepository(context);
  checkRemoteName(name);
  const url: unknown = await getConfig({ ...context.repo, path: `remote.${name}.url` });
  if (typeof url !== "string") throw new TenrecError("git-not-found", { what: `remote ${quote(name)}` });
  return checkRemoteUrl(url, context.options.insecureHosts);
}

function checkRemoteName(name: string): void {
  if (isRefName(name) && !name.includes("/")) return;
  throw new TenrecError("git-refused", { what: `the name ${quote(name)}`, reason: "it is no name for a remote" });
}
