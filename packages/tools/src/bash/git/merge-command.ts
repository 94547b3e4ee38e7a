import type { GitStages } from "@tenrec/protocol";
import { isBinary } from "@tenrec/protocol";
import type { CommandOutput } from "../shell-command.ts";
import { parseOptions, type ParsedOptions } from "../commands/parse-options.ts";
import { changesBetween, modeChangesText, statText } from "./diff-text.ts";
import { commitOf, fatal, type GitCall, GitFailure, notHere, shortId } from "./git-call.ts";
import { autoMergingText, changedInBoth } from "./changed-in-both.ts";
import { pathQuoter } from "./quote-path.ts";
import { conflictText } from "./unmerged-paths.ts";
import { isAncestor, mergeBases } from "./walk-history.ts";

export async function mergeCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, {
    short: "m:qn",
    long: {
      "no-ff": "N",
      ff: "-",
      "ff-only": "O",
      "message=": "m",
      abort: "a",
      "no-edit": "-",
      squash: "S",
      stat: "-",
      "no-stat": "n",
      progress: "-",
      "no-progress": "-",
      continue: "c",
      "no-commit": "C",
      quiet: "q",
    },
  });
  const { git } = call;
  if (options.has("a")) {
    if ((await git.status()).merging === undefined) fatal("There is no merge to abort (MERGE_HEAD missing).");
    await git.reset("HEAD", { force: true });
    return {};
  }
  if (options.has("c")) notHere("merge --continue", "git commit -m MESSAGE ends a merge");
  if (options.has("C"))
    notHere("merge --no-commit", "use git merge --squash, or git merge and git reset --soft HEAD~1");
  const [name, ...more] = options.operands;
  if (name === undefined) fatal("No commit specified and merge.defaultToUpstream not set.");
  if (more.length > 0) notHere("a merge of several branches", "merge one after another");
  if (!(await git.commitAt(name))) throw new GitFailure(`merge: ${name} - not something we can merge`, 1);
  const merged = await mergeOne(call, name, options);
  return options.has("q") ? { ...merged, stdout: merged.exitCode ? (merged.stdout ?? "") : "" } : merged;
}

async function mergeOne(call: GitCall, name: string, options: ParsedOptions): Promise<CommandOutput> {
  const { git } = call;
  const { commit: before = "" } = await git.status();
  const target = await commitOf(call, name);
  if (options.has("O") && before !== "" && !(await isAncestor(call, before, target))) {
    if (!(await isAncestor(call, target.oid, await commitOf(call, before))))
      fatal("Not possible to fast-forward, aborting.");
  }
  const message = options.value("m") ?? `Merge ${await kindOf(call, name)} '${name}'`;
  const merged = await git.merge(target.oid, {
    message,
    conflicts: "keep",
    noFastForward: options.has("N"),
    label: name,
  });
  if (options.has("S")) return squashedText(call, before, merged, options.has("n"));
  return joinedText(call, before, merged, { hasNoStat: options.has("n"), label: name });
}

async function kindOf({ git }: GitCall, name: string): Promise<string> {
  const names = new Set((await git.refs()).map((ref) => ref.name));
  if (names.has(`refs/heads/${name}`)) return "branch";
  if (names.has(`refs/tags/${name}`)) return "tag";
  return names.has(`refs/remotes/${name}`) ? "remote-tracking branch" : "commit";
}

type Merged = Awaited<ReturnType<GitCall["git"]["merge"]>>;

/** Keeps what was merged for the next commit, which has one parent. */
async function squashedText(call: GitCall, before: string, merged: Merged, hasNoStat: boolean): Promise<CommandOutput> {
  if (merged.kind === "conflict") {
    await call.git.reset("HEAD", { force: true });
    notHere("merge --squash with conflicts", "use git merge, resolve them, git commit, and git reset --soft HEAD~1");
  }
  if (merged.kind === "none") return { stdout: "Already up to date.\n" };
  await call.git.moveHead(before);
  if (merged.kind === "fast-forward") {
    const { stdout } = await joinedText(call, before, merged, { hasNoStat });
    const text = String(stdout).replace("Fast-forward\n", "Fast-forward\nSquash commit -- not updating HEAD\n");
    return { stdout: text };
  }
  return {
    stdout: "Squash commit -- not updating HEAD\n",
    stderr: "Automatic merge went well; stopped before committing as requested\n",
  };
}

/** What a merge tells, which `pull` ends with too. */
export async function joinedText(
  call: GitCall,
  before: string,
  merged: Merged,
  { hasNoStat = false, label }: { readonly hasNoStat?: boolean; readonly label?: string } = {},
): Promise<CommandOutput> {
  if (merged.kind === "none") return { stdout: "Already up to date.\n" };
  if (merged.kind === "conflict") return conflictedText(call, before, label);
  const changes = await changesBetween(call, { commit: before }, { commit: merged.commit });
  const head =
    merged.kind === "fast-forward"
      ? `Updating ${shortId(before)}..${shortId(merged.commit)}\nFast-forward\n`
      : "Merge made by the 'ort' strategy.\n";
  const theirs = merged.kind === "merge" ? (await commitOf(call, merged.commit)).parents[1] : undefined;
  const both = autoMergingText(theirs === undefined ? new Set() : await mergedTogether(call, before, theirs));
  if (hasNoStat) return { stdout: both + head };
  const modes = modeChangesText(changes, await pathQuoter(call));
  const stat = changes.length > 0 ? (await statText(call, changes)) + modes : "";
  return { stdout: both + head + stat };
}

async function conflictedText(call: GitCall, before: string, label: string | undefined): Promise<CommandOutput> {
  const { merging = before } = await call.git.status();
  const both = await mergedTogether(call, before, merging);
  const unmerged = await call.git.unmerged();
  const names = [...new Set([...unmerged.keys(), ...Array.from(both, (path) => path.slice(1))])].sort();
  const other = label ?? merging;
  let stdout = "";
  for (const name of names) {
    const stages = unmerged.get(name);
    if (stages && (await isNoText(call, stages)))
      stdout += `warning: Cannot merge binary files: ${name} (HEAD vs. ${other})\n`;
    stdout += stages ? conflictText(name, stages, other) : `Auto-merging ${name}\n`;
  }
  return { stdout: `${stdout}Automatic merge failed; fix conflicts and then commit the result.\n`, exitCode: 1 };
}

/** Whether both sides are there and one of them has no lines. */
async function isNoText({ git }: GitCall, [, ours, theirs]: GitStages): Promise<boolean> {
  if (!ours || !theirs) return false;
  return isBinary(await git.readBlob(ours.oid)) || isBinary(await git.readBlob(theirs.oid));
}

async function mergedTogether(call: GitCall, ours: string, theirs: string): Promise<Set<string>> {
  const [base] = await mergeBases(call, await commitOf(call, ours), await commitOf(call, theirs));
  return base ? changedInBoth(call, { base: base.oid, ours, theirs }) : new Set();
}
