import type { GitPathStatus, GitStages, GitWorkStatus } from "@tenrec/protocol";
import type { CommandOutput } from "../shell-command.ts";
import { parseOptions } from "../commands/parse-options.ts";
import { commitOf, type GitCall, isSelected, notHere, shortId, shownPath, treePath } from "./git-call.ts";
import { resolveHint, unmergedCode, unmergedWords } from "./unmerged-paths.ts";
import { pathQuoter, type QuotePath, withBlanksQuoted } from "./quote-path.ts";

const LONG = {
  short: "s",
  "porcelain?": "P",
  branch: "b",
  "untracked-files?": "u",
  "ahead-behind": "-",
  "no-ahead-behind": "-",
  long: "l",
  "show-stash": "-",
  "ignored?": "i",
};

export async function statusCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, { short: "sbu::zvl", long: LONG });
  const version = options.value("P") ?? "";
  if (!/^(v?1)?$/.test(version)) notHere(`status --porcelain=${version}`, "use --porcelain=v1");
  const ignoring = options.has("i") ? options.value("i") || "traditional" : "no";
  if (!/^(no|traditional)$/.test(ignoring)) notHere(`status --ignored=${ignoring}`, "use --ignored");
  if (ignoring !== "no" && options.has("u") && options.value("u") !== "normal")
    notHere("status --ignored with -u", "use git status --ignored");
  const status = await call.git.status();
  const paths = options.operands.map((path) => treePath(call, path));
  const hidesUntracked = options.value("u") === "no";
  const entries = status.entries.filter(
    ({ path, unstaged }) => isSelected(path, paths) && !(hidesUntracked && unstaged === "untracked"),
  );
  const work = { ...status, entries };
  const quote = await pathQuoter(call);
  const quoteShort = withBlanksQuoted(quote);
  const shown = (path: string): string => quoteShort(options.has("P") ? path.slice(1) : pathFromHere(call, path));
  const moved = await movedFiles(call, work);
  const rows = await withFolders(call, work, moved, options.value("u") === "all");
  if (ignoring !== "no") {
    const ignored = await ignoredFolders(call);
    rows.push(...ignored.filter((path) => isSelected(path, paths)).map((path): Row => ({ path, code: "!!" })));
  }
  const isForScripts = options.has("z");
  if (!options.has("s", "P") && !isForScripts) {
    return { stdout: await longText(call, work, rows, moved, { hidesUntracked, quote }) };
  }
  const end = isForScripts ? "\0" : "\n";
  const head = options.has("b") ? `## ${await branchLine(call, status)}${end}` : "";
  // With -z no path is quoted, paths are those of the repository, and where a file was comes behind.
  const line = ({ code, path, from }: Row): string => {
    if (isForScripts) return `${code} ${path.slice(1)}${end}${from === undefined ? "" : from.slice(1) + end}`;
    return `${code} ${from === undefined ? "" : `${shown(from)} -> `}${shown(path)}${end}`;
  };
  return { stdout: head + rows.map(line).join("") };
}

/** A tree path as it is from the current folder, that of a folder with a slash. */
function pathFromHere(call: GitCall, path: string): string {
  return shownPath(call, path) + (path.endsWith("/") ? "/" : "");
}

interface Row {
  /** The two letters of `--short`. */
  readonly code: string;
  /** A tree path; that of a folder ends with `/`. */
  readonly path: string;
  /** Where a file was that was moved. */
  readonly from?: string;
}

/** Where each staged file was, by its new path: one of the same content that is gone. */
async function movedFiles({ git }: GitCall, { entries, commit }: GitWorkStatus): Promise<ReadonlyMap<string, string>> {
  const moved = new Map<string, string>();
  const gone = entries.filter(({ staged }) => staged === "delete");
  if (commit === undefined || gone.length === 0) return moved;
  const [head, index] = [await git.files({ commit }), await git.files("index")];
  const sources = new Map(gone.map(({ path }) => [head.get(path.slice(1))?.oid, path]));
  for (const { path, staged } of entries) {
    const oid = index.get(path.slice(1))?.oid;
    const from = staged === "create" ? sources.get(oid) : undefined;
    if (from === undefined) continue;
    sources.delete(oid);
    moved.set(path, from);
  }
  return moved;
}

const LETTERS = { create: "A", modify: "M", delete: "D" } as const;

/** A folder in which nothing is tracked stands for what is in it. */
async function withFolders(
  { git }: GitCall,
  { entries }: GitWorkStatus,
  moved: ReadonlyMap<string, string>,
  isAll: boolean,
): Promise<Row[]> {
  const gone = new Set(moved.values());
  const rows = new Map<string, string>();
  const tracked = await git.files("index");
  const conflicts = await git.unmerged();
  const folders = new Set<string>();
  for (const name of [...tracked.keys(), ...conflicts.keys()])
    for (let at = name.lastIndexOf("/"); at > 0; at = name.lastIndexOf("/", at - 1))
      folders.add(`/${name.slice(0, at)}`);
  for (const entry of entries) {
    const { path, staged, unstaged, unmerged } = entry;
    if (gone.has(path)) {
      if (unstaged === "untracked") rows.set(path, "??");
    } else if (unmerged) rows.set(path, unmergedCode(stagesOf(conflicts, path)));
    else if (unstaged === "untracked" && !staged) rows.set(isAll ? path : topFolder(path, folders), "??");
    else {
      rows.set(
        path,
        (staged ? LETTERS[staged] : " ") + (unstaged && unstaged !== "untracked" ? LETTERS[unstaged] : " "),
      );
      if (unstaged === "untracked") rows.set(`${path}\0`, "??");
    }
  }
  const list = Array.from(rows, ([path, code]): Row => {
    const from = moved.get(path);
    return {
      path: path.replace(/\0$/, ""),
      code: from === undefined ? code : code.replace("A", "R"),
      ...(from === undefined ? {} : { from }),
    };
  });
  const order = (code: string): number => (code === "??" ? 1 : 0);

  return list.sort((a, b) => order(a.code) - order(b.code) || (a.path < b.path ? -1 : 1));
}

/** What is ignored; a folder of which nothing else is there stands for it. */
async function ignoredFolders({ git }: GitCall): Promise<string[]> {
  const folders = new Set<string>();
  for (const name of [...(await git.files("work")).keys(), ...(await git.files("index")).keys()])
    for (let at = name.lastIndexOf("/"); at > 0; at = name.lastIndexOf("/", at - 1))
      folders.add(`/${name.slice(0, at)}`);
  const paths = Array.from(await git.ignored(), (name) => topFolder(`/${name}`, folders));
  return [...new Set(paths)].sort();
}

function stagesOf(conflicts: ReadonlyMap<string, GitStages>, path: string): GitStages {
  return conflicts.get(path.slice(1)) ?? [undefined, undefined, undefined];
}

function topFolder(path: string, tracked: ReadonlySet<string>): string {
  for (let at = path.indexOf("/", 1); at !== -1; at = path.indexOf("/", at + 1)) {
    if (!tracked.has(path.slice(0, at))) return `${path.slice(0, at)}/`;
  }
  return path;
}

async function upstream(
  { git }: GitCall,
  branch: string | undefined,
): Promise<{ name: string; ref: string } | undefined> {
  if (branch === undefined) return undefined;
  const [remote, merge] = [await git.config(`branch.${branch}.remote`), await git.config(`branch.${branch}.merge`)];
  if (remote === undefined || merge === undefined) return undefined;
  const name = `${remote}/${merge.replace(/^refs\/heads\//, "")}`;
  const ref = `refs/remotes/${name}`;
  return (await git.refs()).some((each) => each.name === ref) ? { name, ref } : undefined;
}

/** How many commits each side has that the other has not. */
async function aheadBehind(call: GitCall, ours: string, theirs: string): Promise<[number, number]> {
  const reach = async (from: string): Promise<Set<string>> => {
    const seen = new Set<string>();
    const open = [from];
    for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
      if (seen.has(oid)) continue;
      seen.add(oid);
      const commit = await call.git.commitAt(oid);
      open.push(...(commit?.parents ?? []));
    }
    return seen;
  };
  const [a, b] = [await reach(ours), await reach((await commitOf(call, theirs)).oid)];
  return [[...a].filter((oid) => !b.has(oid)).length, [...b].filter((oid) => !a.has(oid)).length];
}

async function branchLine(call: GitCall, status: GitWorkStatus): Promise<string> {
  const { branch, commit } = status;
  if (branch === undefined) return "HEAD (no branch)";
  if (commit === undefined) return `No commits yet on ${branch}`;
  const followed = await upstream(call, branch);
  if (!followed) return branch;
  const [ahead, behind] = await aheadBehind(call, commit, followed.ref);
  const parts = [...(ahead ? [`ahead ${ahead}`] : []), ...(behind ? [`behind ${behind}`] : [])];
  return `${branch}...${followed.name}${parts.length > 0 ? ` [${parts.join(", ")}]` : ""}`;
}

async function upstreamText(call: GitCall, { branch, commit }: GitWorkStatus): Promise<string> {
  const followed = commit === undefined ? undefined : await upstream(call, branch);
  if (!followed || commit === undefined) return "";
  const [ahead, behind] = await aheadBehind(call, commit, followed.ref);
  const commits = (count: number): string => `${count} commit${count === 1 ? "" : "s"}`;
  const name = `'${followed.name}'`;
  if (ahead && behind)
    return `Your branch and ${name} have diverged,\nand have ${ahead} and ${behind} different commits each, respectively.\n  (use "git pull" if you want to integrate the remote branch with yours)\n\n`;
  if (ahead)
    return `Your branch is ahead of ${name} by ${commits(ahead)}.\n  (use "git push" to publish your local commits)\n\n`;
  if (behind)
    return `Your branch is behind ${name} by ${commits(behind)}, and can be fast-forwarded.\n  (use "git pull" to update your local branch)\n\n`;
  return `Your branch is up to date with ${name}.\n\n`;
}

const WORDS = { create: "new file:   ", modify: "modified:   ", delete: "deleted:    " } as const;

/** What `git status` says without an option. */
async function longText(
  call: GitCall,
  status: GitWorkStatus,
  rows: readonly Row[],
  moved: ReadonlyMap<string, string>,
  { hidesUntracked, quote }: { readonly hidesUntracked: boolean; readonly quote: QuotePath },
): Promise<string> {
  const { branch, commit, entries, merging } = status;
  const shown = (path: string): string => quote(pathFromHere(call, path));
  const list = (pick: (entry: GitPathStatus) => string | undefined): string =>
    entries
      .flatMap((entry) => pick(entry) ?? [])
      .map((line) => `\t${line}\n`)
      .join("");
  const gone = new Set(moved.values());
  const staged = list(({ path, staged: change, unmerged }) => {
    const from = moved.get(path);
    if (from !== undefined) return `renamed:    ${shown(from)} -> ${shown(path)}`;
    return change && !unmerged && !gone.has(path) ? WORDS[change] + shown(path) : undefined;
  });
  const conflicts = await call.git.unmerged();
  const unmerged = list(({ path, unmerged: isUnmerged }) =>
    isUnmerged ? unmergedWords(stagesOf(conflicts, path)) + shown(path) : undefined,
  );
  const changed = list(({ path, unstaged }) =>
    unstaged && unstaged !== "untracked" ? WORDS[unstaged] + shown(path) : undefined,
  );
  const listed = (wanted: string): string =>
    rows.map(({ code, path }) => (code === wanted ? `\t${shown(path)}\n` : "")).join("");
  const [untracked, ignored] = [listed("??"), listed("!!")];
  let out = whereText(branch, commit);
  out += await upstreamText(call, status);
  if (commit === undefined) out += "\nNo commits yet\n\n";
  if (merging !== undefined) out += mergingText(Boolean(unmerged));
  const unstage = merging === undefined ? unstageHint(commit === undefined) : "";
  const hasDeleted = entries.some(({ unstaged }) => unstaged === "delete");
  const sections = [
    staged && `Changes to be committed:\n${unstage}${staged}`,
    unmerged && `Unmerged paths:\n  ${resolveHint([...conflicts.values()])}\n${unmerged}`,
    changed &&
      `Changes not staged for commit:\n  (use "git add${hasDeleted ? "/rm" : ""} <file>..." to update what will be committed)\n  (use "git restore <file>..." to discard changes in working directory)\n${changed}`,
    untracked && `Untracked files:\n  (use "git add <file>..." to include in what will be committed)\n${untracked}`,
    ignored && `Ignored files:\n  (use "git add -f <file>..." to include in what will be committed)\n${ignored}`,
  ].filter(Boolean);
  out += sections.map((section) => `${section}\n`).join("");
  return (
    out +
    lastLine(
      Boolean(staged) || (merging !== undefined && conflicts.size === 0),
      Boolean(changed || unmerged),
      Boolean(untracked),
      commit === undefined,
      hidesUntracked && sections.length > 0,
    )
  );
}

function whereText(branch: string | undefined, commit = ""): string {
  return branch === undefined ? `HEAD detached at ${shortId(commit)}\n` : `On branch ${branch}\n`;
}

function unstageHint(isUnborn: boolean): string {
  return `  (use "git ${isUnborn ? "rm --cached" : "restore --staged"} <file>..." to unstage)\n`;
}

function mergingText(hasConflicts: boolean): string {
  return hasConflicts
    ? 'You have unmerged paths.\n  (fix conflicts and run "git commit")\n  (use "git merge --abort" to abort the merge)\n\n'
    : 'All conflicts fixed but you are still merging.\n  (use "git commit" to conclude merge)\n\n';
}

function lastLine(
  isStaged: boolean,
  isChanged: boolean,
  isUntracked: boolean,
  isUnborn: boolean,
  isHidden: boolean,
): string {
  if (isStaged) return isHidden ? "Untracked files not listed (use -u option to show untracked files)\n" : "";
  if (isChanged) return 'no changes added to commit (use "git add" and/or "git commit -a")\n';
  if (isUntracked) return 'nothing added to commit but untracked files present (use "git add" to track)\n';
  return isUnborn
    ? 'nothing to commit (create/copy files and use "git add" to track)\n'
    : "nothing to commit, working tree clean\n";
}
