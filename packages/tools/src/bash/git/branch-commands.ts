import { hasCode } from "@tenrec/protocol";
import type { CommandOutput } from "../shell-command.ts";
import { parseOptions } from "../commands/parse-options.ts";
import { changesBetween, nameStatusText, statText, summaryText } from "./diff-text.ts";
import { commitOf, fatal, type GitCall, GitFailure, notHere, shortId, subjectOf, treePath } from "./git-call.ts";
import { restoreFiles } from "./change-commands.ts";

export async function branchCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, {
    short: "avrdDmMfqu:",
    long: {
      all: "a",
      verbose: "v",
      remotes: "r",
      delete: "d",
      move: "m",
      "show-current": "c",
      list: "l",
      "set-upstream-to=": "u",
      "no-color": "-",
      "contains=": "-",
      "format=": "F",
      force: "f",
      quiet: "q",
      "sort=": "-",
      merged: "-",
    },
  });
  const { git } = call;
  const { branch, commit } = await git.status();
  const [name, from] = options.operands;
  if (options.has("c")) return { stdout: branch === undefined ? "" : `${branch}\n` };
  if (options.has("d", "D")) return deleteBranches(call, options.operands, options.has("D"), branch);
  if (options.has("m", "M")) return renameBranch(call, from === undefined ? branch : name, from ?? name, branch);
  const followed = options.value("u");
  if (followed !== undefined) return follow(call, name ?? branch, followed);
  if (name !== undefined && !options.has("l", "a", "r")) {
    await createBranch(call, name, from ?? "HEAD");
    return {};
  }
  if (options.has("F")) notHere("branch --format", "run git branch");
  const refs = await git.refs();
  const lines: { mark: string; name: string; oid: string }[] = [];
  if (branch === undefined && commit !== undefined && !options.has("r"))
    lines.push({ mark: "*", name: `(HEAD detached at ${shortId(commit)})`, oid: commit });
  for (const { name: full, oid } of refs) {
    const isLocal = full.startsWith("refs/heads/");
    if (full.startsWith("refs/tags/") || (isLocal ? options.has("r") : !options.has("a", "r"))) continue;
    const shown = isLocal
      ? full.slice("refs/heads/".length)
      : options.has("a")
        ? full.slice("refs/".length)
        : full.slice("refs/remotes/".length);
    lines.push({ mark: isLocal && shown === branch ? "*" : " ", name: shown, oid });
  }
  const width = Math.max(0, ...lines.map((line) => line.name.length));
  const texts = lines.map(async (line) => {
    if (!options.has("v")) return `${line.mark} ${line.name}\n`;
    return `${line.mark} ${line.name.padEnd(width)} ${shortId(line.oid)} ${subjectOf((await git.commitAt(line.oid))?.message ?? "")}\n`;
  });
  return { stdout: (await Promise.all(texts)).join("") };
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
  const divider = call.args.indexOf("--");
  const created = options.value("b", "B");
  if (created !== undefined)
    return switchTo(call, created, {
      from: options.operands[0],
      isNew: true,
      isForced: options.has("f"),
      isReset: options.has("B"),
      isQuiet: options.has("q"),
    });
  const paths = divider === -1 ? undefined : call.args.slice(divider + 1);
  const before =
    divider === -1 ? options.operands : options.operands.slice(0, options.operands.length - (paths?.length ?? 0));
  const [name] = before;
  if (paths) return checkoutPaths(call, name, paths);
  if (name === undefined) return switchTo(call, undefined, { isForced: options.has("f"), isQuiet: true });
  const isKnown =
    (await call.git.commitAt(name === "-" ? "HEAD" : name)) !== undefined ||
    (await hasRemoteBranch(call, name)) ||
    (await isBranch(call, name));
  if (isKnown && before.length > 1) return checkoutPaths(call, name, before.slice(1));
  if (isKnown)
    return switchTo(call, name, {
      isForced: options.has("f"),
      isQuiet: options.has("q"),
      isDetached: options.has("d"),
    });
  return checkoutPaths(call, undefined, before);
}

async function checkoutPaths(
  call: GitCall,
  source: string | undefined,
  given: readonly string[],
): Promise<CommandOutput> {
  const paths = given.map((path) => treePath(call, path));
  const count = await restoreFiles(call, source, paths, given);
  if (source !== undefined) await call.git.add(paths);
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
  const { git } = call;
  const before = await git.status();
  if (name === "-") notHere("checkout -", "name the branch");
  try {
    if (options.isNew && name !== undefined) return await startBranch(call, name, options);
    if (name === undefined || name === before.branch) {
      if (options.isForced) await git.reset("HEAD", { force: true });
      return {
        stderr: name === undefined || options.isQuiet ? "" : `Already on '${name}'\n`,
        stdout: options.isQuiet ? "" : await changedText(call),
      };
    }
    const isLocal = await isBranch(call, name);
    const isRemote = !isLocal && (await hasRemoteBranch(call, name));
    const target = isLocal || isRemote ? name : (await commitOf(call, name)).oid;
    await git.checkout(options.isDetached ? (await commitOf(call, name)).oid : target, { force: options.isForced });
    const after = await git.status();
    const tracking = isRemote ? `branch '${name}' set up to track 'origin/${name}'.\n` : "";
    if (after.branch !== undefined) {
      const text = isRemote ? `Switched to a new branch '${name}'\n` : `Switched to branch '${name}'\n`;
      return {
        stdout: (options.isQuiet ? "" : await changedText(call)) + tracking,
        stderr: options.isQuiet ? "" : text,
      };
    }
    const commit = await commitOf(call, "HEAD");
    return {
      stdout: await changedText(call),
      stderr: `HEAD is now at ${shortId(commit.oid)} ${subjectOf(commit.message)}\n`,
    };
  } catch (error) {
    if (!hasCode(error, "git-local-changes")) throw error;
    const { paths } = error.data;
    throw new GitFailure(
      `error: Your local changes to the following files would be overwritten by checkout:\n${paths.map((path) => `\t${path.slice(1)}\n`).join("")}Please commit your changes before you switch branches.\nAborting`,
      1,
    );
  }
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
  return nameStatusText(await changesBetween(call, { commit }, "work"));
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
  if (!options.has("d") && !(await isBranch(call, name)) && !(await hasRemoteBranch(call, name)))
    fatal(
      (await call.git.commitAt(name)) ? `a branch is expected, got commit '${name}'` : `invalid reference: ${name}`,
    );
  return switchTo(call, name, { isForced: options.has("f"), isQuiet: options.has("q"), isDetached: options.has("d") });
}

export async function tagCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, {
    short: "ldam:fn::s",
    long: { list: "l", delete: "d", annotate: "a", "message=": "m", force: "f", "sort=": "-" },
  });
  const { git } = call;
  const tags = (await git.refs()).filter(({ name }) => name.startsWith("refs/tags/"));
  const [name, from] = options.operands;
  if (options.has("d")) {
    let stdout = "";
    for (const each of options.operands) {
      const tag = tags.find((candidate) => candidate.name === `refs/tags/${each}`);
      if (!tag) throw new GitFailure(`error: tag '${each}' not found.`, 1);
      await git.setRef(tag.name, undefined);
      stdout += `Deleted tag '${each}' (was ${shortId(tag.oid)})\n`;
    }
    return { stdout };
  }
  if (name === undefined || options.has("l")) {
    const shown = tags
      .map((tag) => tag.name.slice("refs/tags/".length))
      .filter((tag) => name === undefined || tag.startsWith(name.replace(/\*.*$/, "")));
    return { stdout: shown.map((tag) => `${tag}\n`).join("") };
  }
  if (options.has("a", "m", "s")) notHere("a tag with a message", "make a plain one: git tag NAME");
  if (tags.some((tag) => tag.name === `refs/tags/${name}`) && !options.has("f")) fatal(`tag '${name}' already exists`);
  await git.setRef(`refs/tags/${name}`, (await commitOf(call, from ?? "HEAD")).oid);
  return {};
}

export async function mergeCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, {
    short: "m:q",
    long: {
      "no-ff": "N",
      ff: "-",
      "ff-only": "O",
      "message=": "m",
      abort: "a",
      "no-edit": "-",
      squash: "S",
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
  if (options.has("S", "c", "C", "N", "O"))
    notHere("merge with this option", "use git merge BRANCH, git merge --abort or git commit");
  const [name] = options.operands;
  if (name === undefined) fatal("No commit specified and merge.defaultToUpstream not set.");
  return mergeText(
    call,
    (await git.commitAt(name)) ? name : fatal(`${name} - not something we can merge`),
    options.value("m"),
  );
}

export async function mergeText(call: GitCall, name: string, message: string | undefined): Promise<CommandOutput> {
  const { git } = call;
  const { commit: before = "" } = await git.status();
  const target = await commitOf(call, name);
  const text = message ?? `Merge branch '${name}'`;
  const merged = await git.merge(target.oid, { message: text, conflicts: "keep" });
  return joinedText(call, before, merged);
}

/** What a merge tells, which `pull` ends with too. */
export async function joinedText(
  call: GitCall,
  before: string,
  merged: { readonly kind: string; readonly commit: string },
): Promise<CommandOutput> {
  if (merged.kind === "none") return { stdout: "Already up to date.\n" };
  if (merged.kind === "conflict") {
    const { entries } = await call.git.status();
    const lines = entries
      .filter(({ unmerged }) => unmerged)
      .map(({ path }) => `CONFLICT (content): Merge conflict in ${path.slice(1)}\n`);
    return {
      stdout: `${lines.join("")}Automatic merge failed; fix conflicts and then commit the result.\n`,
      exitCode: 1,
    };
  }
  const changes = await changesBetween(call, { commit: before }, { commit: merged.commit });
  const head =
    merged.kind === "fast-forward"
      ? `Updating ${shortId(before)}..${shortId(merged.commit)}\nFast-forward\n`
      : "Merge made by the 'ort' strategy.\n";
  const stat = changes.length > 0 ? await statText(call, changes) : summaryText(changes);
  return { stdout: head + stat };
}
