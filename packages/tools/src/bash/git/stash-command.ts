import type { GitCommitData } from "@tenrec/protocol";
import { hasCode } from "@tenrec/protocol";
import type { CommandOutput } from "../shell-command.ts";
import { parseOptions, type ParsedOptions } from "../commands/parse-options.ts";
import { autoMergingText, changedInBoth } from "./changed-in-both.ts";
import { restoreFiles } from "./change-commands.ts";
import { plainStyle, takeDiffOption } from "./diff-options.ts";
import { changesBetween, changesText, type FileChange } from "./diff-text.ts";
import { commitOf, fatal, type GitCall, GitFailure, notHere, shortId, subjectOf } from "./git-call.ts";
import { statusCommand } from "./status-command.ts";

/** Where it is kept: a commit on the one that was current. There is one; git has a stack. */
const STASH = "refs/stash";

const LONG = { "message=": "m", "include-untracked": "u", quiet: "q", "keep-index": "k", all: "a", index: "i" };

export async function stashCommand(call: GitCall): Promise<CommandOutput> {
  const [action = "push", ...rest] = call.args;
  if (action === "push" || action === "save" || action.startsWith("-")) {
    const args = action.startsWith("-") ? call.args : rest;
    const options = parseOptions(args, { short: "m:uqkap", long: LONG });
    // What `save` is given is its message.
    const isNamed = action === "save" && options.operands.length > 0;
    return isNamed
      ? save(call, [], options.operands.join(" "), options)
      : save(call, options.operands, options.value("m"), options);
  }
  const kept = await call.git.commitAt(STASH);
  if (action === "list") return { stdout: kept ? `stash@{0}: ${subjectOf(kept.message)}\n` : "" };
  if (!kept && action === "clear") return {};
  const use = Object.hasOwn(USES, action) ? USES[action] : undefined;
  if (!use) notHere(`stash ${action}`, "there are push, pop, apply, list, show, drop and clear");
  if (!kept) throw new GitFailure("No stash entries found.", 1);
  requireLast(rest);
  return use(call, kept, rest);
}

/** There is one, and it has this name. */
function requireLast(args: readonly string[]): void {
  const other = args.find((arg) => !arg.startsWith("-") && !/^(stash@\{0\}|0)$/.test(arg));
  if (other !== undefined) fatal(`${other}: there is only stash@{0} here`);
}

type Use = (call: GitCall, kept: GitCommitData, args: readonly string[]) => Promise<CommandOutput>;

const isQuiet = (args: readonly string[]): boolean => args.includes("-q") || args.includes("--quiet");

const USES: Readonly<Record<string, Use>> = {
  clear: (call, kept) => drop(call, kept, [], true),
  drop: (call, kept, args) => drop(call, kept, args, isQuiet(args)),
  show: async (call, kept, args) => {
    const style = plainStyle();
    for (const arg of args)
      if (arg.startsWith("-") && !takeDiffOption(style, arg, () => undefined)) notHere(`stash show ${arg}`, "use -p");
    if (style.forms.length === 0) style.forms = ["stat"];
    return { stdout: await changesText(call, await changesOf(call, kept), style) };
  },
  apply: (call, kept, args) => bringBack(call, kept, isQuiet(args)),
  pop: async (call, kept, args) => {
    const back = await bringBack(call, kept, isQuiet(args));
    if (back.exitCode) return back;
    const dropped = await drop(call, kept, args, isQuiet(args));
    return { stdout: `${String(back.stdout ?? "")}${String(dropped.stdout ?? "")}` };
  },
};

function changesOf(call: GitCall, { oid, parents: [parent] }: GitCommitData): Promise<FileChange[]> {
  return changesBetween(call, { commit: parent ?? oid }, { commit: oid });
}

async function drop(
  { git }: GitCall,
  { oid }: GitCommitData,
  args: readonly string[],
  isSilent: boolean,
): Promise<CommandOutput> {
  await git.setRef(STASH, undefined);
  const name = args.find((arg) => !arg.startsWith("-")) ?? "refs/stash@{0}";
  return { stdout: isSilent ? "" : `Dropped ${/^\d+$/.test(name) ? `refs/stash@{${name}}` : name} (${oid})\n` };
}

async function save(
  call: GitCall,
  paths: readonly string[],
  given: string | undefined,
  options: ParsedOptions,
): Promise<CommandOutput> {
  if (options.has("k", "a", "p") || paths.length > 0)
    notHere("stashing a part of the changes", "commit that part first");
  const { git } = call;
  const { branch, commit, entries } = await git.status();
  if (commit === undefined) fatal("You do not have the initial commit yet");
  const isMeant = ({ unstaged }: (typeof entries)[number]): boolean => unstaged !== "untracked" || options.has("u");
  const changed = entries.filter((entry) => isMeant(entry) || entry.staged);
  if (changed.length === 0) return { stdout: options.has("q") ? "" : "No local changes to save\n" };
  if (await git.commitAt(STASH)) notHere("a second stash", "git stash pop or drop the one that is there first");
  const head = await commitOf(call, commit);
  const where = branch ?? "(no branch)";
  const message =
    given === undefined ? `WIP on ${where}: ${shortId(commit)} ${subjectOf(head.message)}` : `On ${where}: ${given}`;
  await git.add(changed.map(({ path }) => path));
  const oid = await git.commit({ message });
  await git.setRef(STASH, oid);
  await git.reset(commit, { force: true });
  return { stdout: options.has("q") ? "" : `Saved working directory and index state ${message}\n` };
}

/** Changes nothing where a file has changes that are not committed. */
async function bringBack(call: GitCall, kept: GitCommitData, isSilent: boolean): Promise<CommandOutput> {
  const changes = await changesOf(call, kept);
  const paths = changes.flatMap(({ diff }) => (diff.from === undefined ? [diff.path] : [diff.from, diff.path]));
  const lost = await changedSince(call, kept, paths);
  const { entries, commit = kept.oid } = await call.git.status();
  const isLocal = (path: string): boolean => entries.some((entry) => entry.path === path);
  if (lost.length > 0 && !lost.some(isLocal)) return mergeBack(call, kept, commit, changes, isSilent);
  if (lost.length > 0) {
    const { stdout = "" } = await statusCommand({ ...call, args: [] });
    const list = lost.map((path) => `\t${path.slice(1)}\n`).join("");
    return {
      stdout: `${String(stdout)}The stash entry is kept in case you need it again.\n`,
      stderr: `error: Your local changes to the following files would be overwritten by merge:\n${list}Please commit your changes or stash them before you merge.\nAborting\n`,
      exitCode: 1,
    };
  }
  await restoreFiles(call, kept.oid, paths, paths);
  const made = changes.filter(({ diff }) => diff.change === "create").map(({ diff }) => diff.path);
  if (made.length > 0) await call.git.add(made);
  return isSilent ? {} : { stdout: (await statusCommand({ ...call, args: [] })).stdout ?? "" };
}

/** Puts it on what was committed since. */
async function mergeBack(
  call: GitCall,
  kept: GitCommitData,
  ours: string,
  changes: readonly FileChange[],
  isSilent: boolean,
): Promise<CommandOutput> {
  const base = kept.parents[0] ?? kept.oid;
  try {
    await call.git.pickChange(base, kept.oid);
  } catch (error) {
    if (!hasCode(error, "git-conflict")) throw error;
    const paths = error.data.paths.map((path) => path.slice(1)).join(", ");
    throw new GitFailure(
      `error: The stash does not fit what was committed since.\nThere are conflicts in ${paths}. Nothing was changed, and the stash entry is kept: conflicts of a stash are not kept here. See git stash show -p, make the change by hand, and git stash drop.`,
      1,
    );
  }
  const known = changes.filter(({ diff }) => diff.change !== "create").map(({ diff }) => diff.from ?? diff.path);
  if (known.length > 0) await call.git.unstage(known);
  const merged = autoMergingText(await changedInBoth(call, { base, ours, theirs: kept.oid }));
  return { stdout: merged + (isSilent ? "" : String((await statusCommand({ ...call, args: [] })).stdout ?? "")) };
}

/** Those of the paths that are neither what they were before the stash, nor what it has. */
async function changedSince({ git }: GitCall, kept: GitCommitData, paths: readonly string[]): Promise<string[]> {
  const work = await git.files("work");
  const before = await git.files({ commit: kept.parents[0] ?? kept.oid });
  const after = await git.files({ commit: kept.oid });
  return paths.filter((path) => {
    const name = path.slice(1);
    const now = work.get(name)?.oid;
    return now !== before.get(name)?.oid && now !== after.get(name)?.oid;
  });
}
