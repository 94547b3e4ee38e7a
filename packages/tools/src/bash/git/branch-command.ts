import type { CommandOutput } from "../shell-command.ts";
import { parseOptions, type ParsedOptions } from "../commands/parse-options.ts";
import { commitOf, fatal, type GitCall, GitFailure, notHere, shortId, subjectOf } from "./git-call.ts";

const LONG = {
  all: "a",
  verbose: "v",
  remotes: "r",
  delete: "d",
  move: "m",
  "show-current": "c",
  list: "l",
  "set-upstream-to=": "u",
  "no-color": "-",
  "format=": "F",
  force: "f",
  quiet: "q",
  "sort=": "-",
};

export async function branchCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, { short: "avrdDmMfqu:l", long: LONG });
  const { branch } = await call.git.status();
  const [name, from] = options.operands;
  if (options.has("c")) return { stdout: branch === undefined ? "" : `${branch}\n` };
  if (options.has("d", "D")) return deleteBranches(call, options.operands, options.has("D"), branch);
  if (options.has("m", "M")) return renameBranch(call, from === undefined ? branch : name, from ?? name, branch);
  const followed = options.value("u");
  if (followed !== undefined) return follow(call, name ?? branch, followed);
  if (name === undefined || options.has("l", "a", "r")) return { stdout: await listText(call, options) };
  await createBranch(call, name, from ?? "HEAD");
  return {};
}

interface Line {
  readonly mark: string;
  readonly name: string;
  readonly oid: string;
}

async function listText(call: GitCall, options: ParsedOptions): Promise<string> {
  if (options.has("F")) notHere("branch --format", "run git branch");
  const { git } = call;
  const { branch, commit } = await git.status();
  const lines: Line[] = [];
  if (branch === undefined && commit !== undefined && !options.has("r"))
    lines.push({ mark: "*", name: `(HEAD detached at ${shortId(commit)})`, oid: commit });
  for (const ref of await git.refs()) {
    const shown = shownRef(ref.name, options);
    if (shown !== undefined)
      lines.push({ mark: ref.name === `refs/heads/${branch}` ? "*" : " ", name: shown, oid: ref.oid });
  }
  const width = Math.max(0, ...lines.map((line) => line.name.length));
  const texts = lines.map(async ({ mark, name, oid }) => {
    if (!options.has("v")) return `${mark} ${name}\n`;
    return `${mark} ${name.padEnd(width)} ${shortId(oid)} ${subjectOf((await git.commitAt(oid))?.message ?? "")}\n`;
  });
  return (await Promise.all(texts)).join("");
}

/** How a list shows a ref; undefined for one that it leaves out. */
function shownRef(name: string, options: ParsedOptions): string | undefined {
  if (name.startsWith("refs/heads/")) return options.has("r") ? undefined : name.slice("refs/heads/".length);
  if (!name.startsWith("refs/remotes/") || !options.has("a", "r")) return undefined;
  return name.slice((options.has("a") ? "refs/" : "refs/remotes/").length);
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
