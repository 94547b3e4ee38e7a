import { hasCode } from "@tenrec/protocol";
import type { CommandOutput } from "../shell-command.ts";
import { parseOptions } from "../commands/parse-options.ts";
import { restoreFiles } from "./change-commands.ts";
import { changesBetween, nameStatusText } from "./diff-text.ts";
import { pathQuoter } from "./quote-path.ts";
import {
  commitOf,
  fatal,
  findCommit,
  type GitCall,
  GitFailure,
  notHere,
  refuseForm,
  shortId,
  subjectOf,
  treePath,
} from "./git-call.ts";

export async function checkoutCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, {
    short: "b:B:fqtd",
    long: {
      force: "f",
      quiet: "q",
      track: "t",
      detach: "d",
      "no-track": "-",
      "orphan=": "o",
      ours: "O",
      theirs: "T",
      "no-guess": "-",
    },
  });
  if (options.has("o", "O", "T"))
    notHere("checkout --orphan, --ours and --theirs", "write the files as they should be, then git add them");
  const created = options.value("b", "B");
  const quiet = { isForced: options.has("f"), isQuiet: options.has("q") };
  if (created !== undefined)
    return switchTo(call, created, { ...quiet, from: options.operands[0], isNew: true, isReset: options.has("B") });
  const divider = call.args.indexOf("--");
  const paths = divider === -1 ? undefined : call.args.slice(divider + 1);
  const before = options.operands.slice(0, options.operands.length - (paths?.length ?? 0));
  const [name] = before;
  if (paths) return checkoutPaths(call, name, paths);
  const isDetached = options.has("d");
  if (name === undefined)
    return switchTo(call, isDetached ? "HEAD" : undefined, {
      ...quiet,
      isDetached,
      isQuiet: quiet.isQuiet || !isDetached,
    });
  const isKnownName = await isKnown(call, name);
  if (!isKnownName && !(await call.shell.fs.exists(call.shell.resolve(name)))) refuseForm(name);
  if (!isKnownName) return checkoutPaths(call, undefined, before);
  if (before.length > 1) return checkoutPaths(call, name, before.slice(1));
  return switchTo(call, name, { ...quiet, isDetached });
}

async function isKnown(call: GitCall, name: string): Promise<boolean> {
  const commit = await findCommit(call, name === "-" ? "HEAD" : name);
  return commit !== undefined || (await hasRemoteBranch(call, name)) || (await isBranch(call, name));
}

async function checkoutPaths(
  call: GitCall,
  source: string | undefined,
  given: readonly string[],
): Promise<CommandOutput> {
  const paths = given.map((path) => treePath(call, path));
  const { count, files } = await restoreFiles(call, source, paths, given);
  if (source !== undefined && files.length > 0) await call.git.add(files);
  const where = source === undefined ? "the index" : shortId((await commitOf(call, source)).oid);
  return { stderr: `Updated ${count} path${count === 1 ? "" : "s"} from ${where}\n` };
}

async function isBranch({ git }: GitCall, name: string): Promise<boolean> {
  const { branch } = await git.status();
  return branch === name || (await git.refs()).some((ref) => ref.name === `refs/heads/${name}`);
}

async function hasRemoteBranch({ git }: GitCall, name: string): Promise<boolean> {
  return (await git.refs()).some((ref) => ref.name === `refs/remotes/origin/${name}`);
}

interface SwitchOptions {
  readonly from?: string | undefined;
  readonly isNew?: boolean;
  readonly isForced: boolean;
  readonly isReset?: boolean;
  readonly isQuiet: boolean;
  readonly isDetached?: boolean;
}

async function switchTo(call: GitCall, name: string | undefined, options: SwitchOptions): Promise<CommandOutput> {
  if (name === "-") notHere("checkout -", "name the branch");
  try {
    const { branch } = await call.git.status();
    if (options.isNew && name !== undefined) return await startBranch(call, name, options);
    if (name === undefined || name === branch) return await stay(call, name, options);
    return await goTo(call, name, options);
  } catch (error) {
    if (!hasCode(error, "git-local-changes")) throw error;
    const list = error.data.paths.map((path) => `\t${path.slice(1)}\n`).join("");
    throw new GitFailure(
      `error: Your local changes to the following files would be overwritten by checkout:\n${list}Please commit your changes before you switch branches.\nAborting`,
      1,
    );
  }
}

async function stay(call: GitCall, name: string | undefined, options: SwitchOptions): Promise<CommandOutput> {
  if (options.isForced) await call.git.reset("HEAD", { force: true });
  if (options.isQuiet) return {};
  return { stderr: name === undefined ? "" : `Already on '${name}'\n`, stdout: await changedText(call) };
}

async function goTo(call: GitCall, name: string, options: SwitchOptions): Promise<CommandOutput> {
  const { git } = call;
  const isLocal = await isBranch(call, name);
  const isRemote = !isLocal && (await hasRemoteBranch(call, name));
  const isDetached = options.isDetached || !(isLocal || isRemote);
  await git.checkout(isDetached ? (await commitOf(call, name)).oid : name, { force: options.isForced });
  if (isDetached) {
    if (options.isQuiet) return {};
    const commit = await commitOf(call, "HEAD");
    const text = `HEAD is now at ${shortId(commit.oid)} ${subjectOf(commit.message)}\n`;
    return { stdout: await changedText(call), stderr: text };
  }
  const tracking = isRemote ? `branch '${name}' set up to track 'origin/${name}'.\n` : "";
  if (options.isQuiet) return { stdout: tracking };
  const stderr = isRemote ? `Switched to a new branch '${name}'\n` : `Switched to branch '${name}'\n`;
  return { stdout: (await changedText(call)) + tracking, stderr };
}

async function startBranch(
  call: GitCall,
  name: string,
  { from, isForced, isReset, isQuiet }: SwitchOptions,
): Promise<CommandOutput> {
  const { git } = call;
  const { commit } = await git.status();
  const exists = (await git.refs()).some((ref) => ref.name === `refs/heads/${name}`);
  if (exists && !isReset) fatal(`a branch named '${name}' already exists`);
  const start = from === undefined ? commit : (await commitOf(call, from)).oid;
  if (start === undefined) notHere("another branch before the first commit", "commit first");
  if (exists) await git.setRef(`refs/heads/${name}`, start);
  else await git.createBranch(name, start);
  await git.checkout(name, { force: isForced });
  return {
    stderr: isQuiet ? "" : `Switched to a new branch '${name}'\n`,
    stdout: from === undefined || isQuiet ? "" : await changedText(call),
  };
}

/** What of the work tree goes along to another branch. */
async function changedText(call: GitCall): Promise<string> {
  const { commit } = await call.git.status();
  if (commit === undefined) return "";
  return nameStatusText(await changesBetween(call, { commit }, "work"), await pathQuoter(call));
}

export async function switchCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, {
    short: "c:C:dfq",
    long: {
      "create=": "c",
      "force-create=": "C",
      detach: "d",
      force: "f",
      "discard-changes": "f",
      quiet: "q",
      track: "-",
      "no-guess": "-",
    },
  });
  const created = options.value("c", "C");
  const [name] = options.operands;
  if (created !== undefined)
    return switchTo(call, created, {
      from: name,
      isNew: true,
      isForced: options.has("f"),
      isReset: options.has("C"),
      isQuiet: options.has("q"),
    });
  if (name === undefined) fatal("missing branch or commit argument");
  if (name === "-") notHere("switch -", "name the branch");
  if (!options.has("d") && !(await isBranch(call, name)) && !(await hasRemoteBranch(call, name)))
    fatal(
      (await call.git.commitAt(name)) ? `a branch is expected, got commit '${name}'` : `invalid reference: ${name}`,
    );
  return switchTo(call, name, { isForced: options.has("f"), isQuiet: options.has("q"), isDetached: options.has("d") });
}
