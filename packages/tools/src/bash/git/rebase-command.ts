import type { GitCommitData } from "@tenrec/protocol";
import { hasCode } from "@tenrec/protocol";
import type { CommandOutput } from "../shell-command.ts";
import { parseOptions } from "../commands/parse-options.ts";
import { identityOf } from "./commit-author.ts";
import { commitOf, fatal, type GitCall, GitFailure, notHere, shortId, subjectOf } from "./git-call.ts";
import { walkHistory } from "./walk-history.ts";

const LONG = {
  "onto=": "o",
  interactive: "i",
  quiet: "q",
  abort: "a",
  continue: "a",
  skip: "a",
  "no-autosquash": "-",
};

/** `git rebase` onto another branch, of a history without merges and conflicts. */
export async function rebaseCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, { short: "qi", long: LONG });
  if (options.has("i")) notHere("rebase --interactive", "use git reset --soft COMMIT and commit anew");
  if (options.has("a")) fatal("No rebase in progress?");
  const [upstream, ...more] = options.operands;
  if (upstream === undefined) notHere("rebase without a branch", "name it: git rebase BRANCH");
  if (more.length > 0) notHere("rebase of another branch", "check it out first");
  const { branch } = await call.git.status();
  await requireUnchanged(call);
  const base = await commitOf(call, upstream).catch(() => fatal(`invalid upstream '${upstream}'`));
  const onto = options.value("o");
  const target = onto === undefined ? base : await commitOf(call, onto);
  const head = await commitOf(call, "HEAD");
  const commits = await commitsAbove(call, head, base);
  if ((commits[0]?.parents[0] ?? head.oid) === target.oid)
    return { stdout: options.has("q") ? "" : `Current branch ${branch ?? "HEAD"} is up to date.\n` };
  await call.git.reset(target.oid);
  for (const commit of commits) await replay(call, commit, head.oid);
  const name = branch === undefined ? "detached HEAD" : `refs/heads/${branch}`;
  return { stderr: options.has("q") ? "" : `Successfully rebased and updated ${name}.\n` };
}

/** The oldest first. */
async function commitsAbove(call: GitCall, head: GitCommitData, base: GitCommitData): Promise<GitCommitData[]> {
  const known = new Set<string>();
  for await (const { oid } of walkHistory(call, [base], new Set())) known.add(oid);
  const commits: GitCommitData[] = [];
  for await (const commit of walkHistory(call, [head], known)) commits.push(commit);
  if (commits.some(({ parents }) => parents.length > 1)) notHere("rebase of merges", "use git merge");
  return commits.reverse();
}

async function requireUnchanged({ git }: GitCall): Promise<void> {
  const changed = (await git.status()).entries.filter(({ unstaged }) => unstaged !== "untracked");
  if (changed.length > 0) throw new GitFailure(uncleanText(changed.some(({ staged }) => !staged)), 1);
}

function uncleanText(isUnstaged: boolean): string {
  return isUnstaged
    ? "error: cannot rebase: You have unstaged changes.\nerror: Please commit or stash them."
    : "error: cannot rebase: Your index contains uncommitted changes.\nerror: Please commit or stash them.";
}

/** Makes a commit again; where that is not possible, all is as before. */
async function replay(call: GitCall, commit: GitCommitData, before: string): Promise<void> {
  const { git } = call;
  try {
    await git.pickChange(commit.parents[0], commit.oid);
  } catch (error) {
    await git.reset(before, { force: true });
    if (!hasCode(error, "git-conflict")) throw error;
    const paths = error.data.paths.map((path) => path.slice(1)).join(", ");
    throw new GitFailure(
      `error: could not apply ${shortId(commit.oid)}... ${subjectOf(commit.message)}\nThere are conflicts in ${paths}. Nothing was changed: conflicts of a rebase are not kept here; use git merge, which keeps them.`,
      1,
    );
  }
  // What the other side has already is left out.
  if (!(await git.status()).entries.some(({ staged }) => staged)) return;
  const committer = await identityOf(call);
  await git.commit({ message: commit.message, author: commit.author, ...(committer ? { committer } : {}) });
}
