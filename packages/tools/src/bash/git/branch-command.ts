import type { CommandOutput } from "../shell-command.ts";
import { parseOptions, type ParsedOptions } from "../commands/parse-options.ts";
import { commitOf, fatal, type GitCall, GitFailure, notHere, shortId } from "./git-call.ts";
import { branchList, takeFilters } from "./branch-list.ts";

const LONG = {
  all: "a",
  verbose: "v",
  remotes: "r",
  delete: "d",
  move: "m",
  "show-current": "show",
  list: "l",
  "set-upstream-to=": "u",
  "no-color": "-",
  "format=": "F",
  force: "f",
  quiet: "q",
  "sort=": "S",
  copy: "k",
  "points-at=": "X",
  track: "-",
  "no-track": "-",
  "unset-upstream": "X",
  "edit-description": "X",
  column: "X",
  "no-column": "-",
};

export async function branchCommand(call: GitCall): Promise<CommandOutput> {
  const { args, filters } = takeFilters(call.args);
  const options = parseOptions(args, { short: "avrdDmMfqu:lcC", long: LONG });
  if (options.has("X")) notHere("branch with this option", "git branch -v lists them");
  const { branch } = await call.git.status();
  if (options.has("show")) return { stdout: branch === undefined ? "" : `${branch}\n` };
  const [name] = options.operands;
  const isList = name === undefined || options.has("l", "a", "r") || filters.length > 0;
  const isOther = options.has("d", "D", "m", "M", "c", "k", "u");
  if (isList && !isOther) return { stdout: await branchList(call, options, filters) };
  return changeBranch(call, options, branch);
}

async function changeBranch(call: GitCall, options: ParsedOptions, branch: string | undefined): Promise<CommandOutput> {
  const [name, from] = options.operands;
  if (options.has("d", "D")) return deleteBranches(call, options.operands, options.has("D"), branch);
  if (options.has("m", "M")) return renameBranch(call, from === undefined ? branch : name, from ?? name, branch);
  const followed = options.value("u");
  if (followed !== undefined) return follow(call, name ?? branch, followed);
  if (name === undefined) fatal("branch name required");
  if (options.has("c", "k")) {
    const [source, copy] = from === undefined ? [branch, name] : [name, from];
    await createBranch(call, copy, `refs/heads/${source}`);
    return {};
  }
  if (options.has("f")) return moveBranch(call, name, from ?? "HEAD", branch);
  await createBranch(call, name, from ?? "HEAD");
  return {};
}

async function moveBranch(
  call: GitCall,
  name: string,
  from: string,
  current: string | undefined,
): Promise<CommandOutput> {
  if (name === current) fatal(`cannot force update the branch '${name}' used by worktree at '/workspace'`);
  const { oid } = await commitOf(call, from).catch(() => fatal(`not a valid object name: '${from}'`));
  const isKnown = (await call.git.refs()).some((ref) => ref.name === `refs/heads/${name}`);
  if (isKnown) await call.git.setRef(`refs/heads/${name}`, oid);
  else await createBranch(call, name, oid);
  return {};
}

async function createBranch(call: GitCall, name: string, from: string): Promise<string> {
  const { oid } = await commitOf(call, from).catch(() => fatal(`not a valid object name: '${from}'`));
  const known = (await call.git.refs()).some((ref) => ref.name === `refs/heads/${name}`);
  if (known) fatal(`a branch named '${name}' already exists`);
  return call.git.createBranch(name, oid);
}

async function deleteBranches(
  call: GitCall,
  names: readonly string[],
  isForced: boolean,
  current: string | undefined,
): Promise<CommandOutput> {
  let stdout = "";
  for (const name of names) {
    const ref = (await call.git.refs()).find((each) => each.name === `refs/heads/${name}`);
    if (!ref) throw new GitFailure(`error: branch '${name}' not found`, 1);
    if (name === current)
      throw new GitFailure(`error: cannot delete branch '${name}' used by worktree at '/workspace'`, 1);
    if (!isForced && !(await isMerged(call, ref.oid)))
      throw new GitFailure(
        `error: the branch '${name}' is not fully merged\nhint: If you are sure you want to delete it, run 'git branch -D ${name}'`,
        1,
      );
    await call.git.removeBranch(name);
    stdout += `Deleted branch ${name} (was ${shortId(ref.oid)}).\n`;
  }
  return { stdout };
}

async function isMerged({ git }: GitCall, oid: string): Promise<boolean> {
  const open = ["HEAD"];
  const seen = new Set<string>();
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const commit = await git.commitAt(name);
    if (commit?.oid === oid) return true;
    if (!commit || seen.has(commit.oid)) continue;
    seen.add(commit.oid);
    open.push(...commit.parents);
  }
  return false;
}

async function renameBranch(
  call: GitCall,
  from: string | undefined,
  to: string | undefined,
  current: string | undefined,
): Promise<CommandOutput> {
  if (from === undefined || to === undefined) fatal("branch name required");
  const { git } = call;
  const ref = (await git.refs()).find((each) => each.name === `refs/heads/${from}`);
  if (!ref) fatal(`no branch named '${from}'`);
  await createBranch(call, to, ref.oid);
  if (from === current) await git.checkout(to);
  await git.removeBranch(from);
  return {};
}

async function follow(call: GitCall, branch: string | undefined, upstream: string): Promise<CommandOutput> {
  const slash = upstream.indexOf("/");
  const known = (await call.git.refs()).some(({ name }) => name === `refs/remotes/${upstream}`);
  if (branch === undefined || slash === -1 || !known)
    fatal(`the requested upstream branch '${upstream}' does not exist`);
  await call.git.setConfig(`branch.${branch}.remote`, upstream.slice(0, slash));
  await call.git.setConfig(`branch.${branch}.merge`, `refs/heads/${upstream.slice(slash + 1)}`);
  return { stdout: `branch '${branch}' set up to track '${upstream}'.\n` };
}
