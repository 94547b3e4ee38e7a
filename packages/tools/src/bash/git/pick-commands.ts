import type { GitCommitData } from "@tenrec/protocol";
import { hasCode } from "@tenrec/protocol";
import type { CommandOutput } from "../shell-command.ts";
import { parseOptions, type ParsedOptions } from "../commands/parse-options.ts";
import { autoMergingText, changedInBoth } from "./changed-in-both.ts";
import { identityOf } from "./commit-author.ts";
import { committedText } from "./commit-command.ts";
import { commitOf, fatal, type GitCall, GitFailure, notHere, shortId, subjectOf } from "./git-call.ts";
import { walkHistory } from "./walk-history.ts";

const LONG = {
  "no-commit": "n",
  "mainline=": "m",
  edit: "e",
  "no-edit": "-",
  signoff: "s",
  "allow-empty": "0",
  "keep-redundant-commits": "0",
  abort: "abort",
  continue: "continue",
  skip: "skip",
  quit: "quit",
};

export function cherryPickCommand(call: GitCall): Promise<CommandOutput> {
  return pickAll(call, "cherry-pick");
}

export function revertCommand(call: GitCall): Promise<CommandOutput> {
  return pickAll(call, "revert");
}

type Kind = "cherry-pick" | "revert";

async function pickAll(call: GitCall, kind: Kind): Promise<CommandOutput> {
  const options = parseOptions(call.args, { short: "nm:exs", long: LONG });
  if (options.has("abort", "continue", "skip", "quit"))
    throw new GitFailure(`error: no cherry-pick or revert in progress\nfatal: ${kind} failed`);
  if (options.has("s")) notHere(`${kind} --signoff`, "leave it out");
  if (options.operands.length === 0) throw new GitFailure(`usage: git ${kind} [<options>] <commit>...`, 129);
  let stdout = "";
  for (const commit of await commitsOf(call, options.operands, kind)) {
    await requireClean(call, kind);
    stdout += await pickOne(call, commit, kind, options);
  }
  return { stdout };
}

/** A range stands for the commits in it, the oldest first; those that are undone, the newest first. */
async function commitsOf(call: GitCall, operands: readonly string[], kind: Kind): Promise<GitCommitData[]> {
  const commits: GitCommitData[] = [];
  for (const operand of operands) {
    const [, left, right] = /^(.*?)\.\.(?!\.)(.*)$/.exec(operand) ?? [];
    if (left === undefined || right === undefined) {
      commits.push(await commitOf(call, operand).catch(() => fatal(`bad revision '${operand}'`)));
      continue;
    }
    const hidden = new Set<string>();
    for await (const { oid } of walkHistory(call, [await commitOf(call, left || "HEAD")], hidden)) hidden.add(oid);
    const found: GitCommitData[] = [];
    for await (const each of walkHistory(call, [await commitOf(call, right || "HEAD")], hidden)) found.push(each);
    commits.push(...(kind === "revert" ? found : found.reverse()));
  }
  return commits;
}

async function requireClean(call: GitCall, kind: Kind): Promise<void> {
  const { entries } = await call.git.status();
  if (entries.some(({ staged, unmerged }) => staged || unmerged))
    throw new GitFailure(
      `error: your local changes would be overwritten by ${kind}.\nhint: commit your changes or stash them to proceed.\nfatal: ${kind} failed`,
    );
}

async function pickOne(call: GitCall, commit: GitCommitData, kind: Kind, options: ParsedOptions): Promise<string> {
  const parent = parentOf(commit, kind, options.value("m"));
  const merging = await autoMerging(call, commit, parent, kind);
  await makeChange(call, commit, parent, kind);
  if (options.has("n")) return merging;
  const { branch, entries, commit: before } = await call.git.status();
  const isEmpty = !entries.some(({ staged }) => staged);
  if (isEmpty && !options.has("0")) throw emptyFailure(commit, kind, branch);
  const committer = await identityOf(call);
  const message = messageOf(commit, kind, options.has("m") ? parent : undefined, options.has("x"));
  const oid = await call.git.commit({
    message,
    allowEmpty: options.has("0"),
    ...(kind === "cherry-pick" ? { author: commit.author } : committer ? { author: committer } : {}),
    ...(committer ? { committer } : {}),
  });
  return merging + (await committedText(call, branch, before, oid, true));
}

async function autoMerging(
  call: GitCall,
  { oid }: GitCommitData,
  parent: string | undefined,
  kind: Kind,
): Promise<string> {
  const { commit: ours } = await call.git.status();
  if (parent === undefined || ours === undefined) return "";
  const [base, theirs] = kind === "revert" ? [oid, parent] : [parent, oid];
  return autoMergingText(await changedInBoth(call, { base, ours, theirs }));
}

function emptyFailure(commit: GitCommitData, kind: Kind, branch = "HEAD"): GitFailure {
  return new GitFailure(
    `git ${kind}: ${shortId(commit.oid)} ${subjectOf(commit.message)}: ${branch} has this already, nothing was changed`,
    1,
  );
}

function parentOf(commit: GitCommitData, kind: Kind, mainline: string | undefined): string | undefined {
  const { oid, parents } = commit;
  if (mainline === undefined) {
    if (parents.length > 1)
      throw new GitFailure(`error: commit ${oid} is a merge but no -m option was given.\nfatal: ${kind} failed`);
    return parents[0];
  }
  if (parents.length < 2)
    throw new GitFailure(`error: mainline was specified but commit ${oid} is not a merge.\nfatal: ${kind} failed`);
  const parent = parents[Number(mainline) - 1];
  if (parent === undefined)
    throw new GitFailure(`error: commit ${oid} does not have parent ${mainline}\nfatal: ${kind} failed`);
  return parent;
}

async function makeChange(call: GitCall, commit: GitCommitData, parent: string | undefined, kind: Kind): Promise<void> {
  if (kind === "revert" && parent === undefined) notHere("revert of the first commit", "remove its files with git rm");
  const [from, to] = kind === "revert" ? [commit.oid, parent ?? ""] : [parent, commit.oid];
  try {
    await call.git.pickChange(from, to);
  } catch (error) {
    throw pickFailure(error, commit, kind);
  }
}

function pickFailure(error: unknown, { oid, message }: GitCommitData, kind: Kind): unknown {
  const paths = (list: readonly string[]): string => list.map((path) => path.slice(1)).join(", ");
  if (hasCode(error, "git-local-changes"))
    return new GitFailure(
      `error: Your local changes to the following files would be overwritten by merge:\n\t${paths(error.data.paths)}\nPlease commit your changes or stash them before you merge.\nAborting\nfatal: ${kind} failed`,
    );
  if (!hasCode(error, "git-conflict")) return error;
  const verb = kind === "revert" ? "revert" : "apply";
  return new GitFailure(
    `error: could not ${verb} ${shortId(oid)}... ${subjectOf(message)}\nThere are conflicts in ${paths(error.data.paths)}. Nothing was changed: conflicts of a ${kind} are not kept here. See git show ${shortId(oid)}, make the change by hand, and commit it.`,
    1,
  );
}

function messageOf(
  { oid, message }: GitCommitData,
  kind: Kind,
  mainline: string | undefined,
  namesIt: boolean,
): string {
  if (kind === "cherry-pick") {
    const text = message.trimEnd();
    return namesIt ? `${text}${text.includes("\n\n") ? "\n" : "\n\n"}(cherry picked from commit ${oid})\n` : message;
  }
  const what = mainline === undefined ? oid : `${oid}, reversing\nchanges made to ${mainline}`;
  return `Revert "${subjectOf(message)}"\n\nThis reverts commit ${what}.\n`;
}
