import type { GitCommitData, GitDiffSide } from "@tenrec/protocol";
import type { CommandOutput } from "../shell-command.ts";
import { changedFromAll, combinedText } from "./combined-diff.ts";
import { changesBetween, changesText, type FileChange } from "./diff-text.ts";
import type { DiffStyle } from "./diff-options.ts";
import { commitOf, fatal, type GitCall, notHere, revisionsAndPaths, treePath } from "./git-call.ts";
import { withGraph } from "./graph-text.ts";
import { lineTest, type LogOptions, parseLog } from "./log-options.ts";
import { formatText } from "./log-template.ts";
import { commitText, decorations, type LogFormat } from "./log-text.ts";
import { isBehindOther, mergeBases, walkHistory } from "./walk-history.ts";

/** A commit that is shown, with what it changed where that is asked for. */
interface Chosen {
  readonly commit: GitCommitData;
  readonly changes: FileChange[] | undefined;
  /** What is shown of a merge in their place. */
  readonly combined?: string;
}

export async function logCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseLog(call.args, "log", call.git.now());
  const { walked, chosen, hidden } = await chooseCommits(call, options);
  const texts = await logTexts(call, options, chosen);
  if (!options.isGraph) return { stdout: texts.join("") };
  if (options.isReverse) fatal("cannot combine --reverse with --graph");
  return { stdout: withGraph(texts, walked, chosen.at(-1)?.commit, hidden) };
}

/** The commits that are shown, all that were looked at for them, and those that were left out beforehand. */
export async function chooseCommits(
  call: GitCall,
  options: LogOptions,
): Promise<{ walked: GitCommitData[]; chosen: Chosen[]; hidden: ReadonlySet<string> }> {
  const { branch, commit: head } = await call.git.status();
  if (head === undefined && options.starts.length === 0)
    fatal(`your current branch '${branch}' does not have any commits yet`);
  const { revisions, paths } = await revisionsAndPaths(call, options.operands);
  if (options.follows && paths.length !== 1) fatal("--follow requires exactly one pathspec");
  const { starts, hidden } = await rangeOf(call, options, revisions);
  const chosen: Chosen[] = [];
  const walked: GitCommitData[] = [];
  const isWanted = wantedTest(options);
  let skipped = 0;
  for await (const commit of options.isNoWalk ? starts : walkHistory(call, starts, hidden, options.isFirstParent)) {
    if (chosen.length >= options.limit) break;
    walked.push(commit);
    const found = isWanted(commit) ? await chosenOf(call, commit, options, paths) : undefined;
    if (options.follows) followBack(paths, found);
    if (found && skipped++ >= options.skip) chosen.push(found);
  }
  if (options.isReverse) chosen.reverse();
  return { walked, chosen, hidden };
}

function followBack(paths: string[], found: Chosen | undefined): void {
  const from = found?.changes?.find(({ diff }) => diff.path === paths[0])?.diff.from;
  if (from !== undefined) paths[0] = from;
}

/** Undefined for a commit that changed none of the paths. What a merge changed is not shown, as with git. */
async function chosenOf(
  call: GitCall,
  commit: GitCommitData,
  { style, follows, isFirstParent }: LogOptions,
  paths: readonly string[],
): Promise<Chosen | undefined> {
  const isPicked = paths.length > 0 || style.kinds !== "" || style.touched !== undefined;
  if (commit.parents.length > 1 && !isFirstParent) return isPicked ? undefined : { commit, changes: [] };
  const hasForm = style.forms.some((form) => form !== "none");
  if (!hasForm && !isPicked) return { commit, changes: undefined };
  const all = await changesOf(call, commit, follows ? [] : paths, style);
  const changes = follows ? all.filter(({ diff }) => diff.path === paths[0]) : all;
  return isPicked && changes.length === 0 ? undefined : { commit, changes };
}

async function rangeOf(
  call: GitCall,
  options: LogOptions,
  revisions: readonly string[],
): Promise<{ starts: GitCommitData[]; hidden: Set<string> }> {
  const starts: GitCommitData[] = [];
  const hiddenStarts: GitCommitData[] = [];
  for (const revision of revisions) {
    const [, left, dots, right] = /^(.*?)(\.{2,3})(.*)$/.exec(revision) ?? [];
    if (dots === undefined) {
      if (revision.startsWith("^")) hiddenStarts.push(await commitOf(call, revision.slice(1)));
      else starts.push(await commitOf(call, revision));
      continue;
    }
    const [a, b] = [await commitOf(call, left || "HEAD"), await commitOf(call, right || "HEAD")];
    starts.push(...(dots === "..." ? [a, b] : [b]));
    hiddenStarts.push(...(dots === "..." ? await mergeBases(call, a, b) : [a]));
  }
  starts.push(...(await refStarts(call, options.starts, starts.length + hiddenStarts.length > 0)));
  const hidden = new Set<string>();
  if (hiddenStarts.length > 0) for await (const { oid } of walkHistory(call, hiddenStarts, new Set())) hidden.add(oid);
  if (revisions.length === 0 && options.starts.length === 0) starts.push(await commitOf(call, "HEAD"));
  return { starts: options.isGraph ? await newestOf(call, starts) : starts, hidden };
}

/** What `--all` and the like begin with; all has `HEAD` too. */
async function refStarts(call: GitCall, prefixes: readonly string[], hasOthers: boolean): Promise<GitCommitData[]> {
  const starts: GitCommitData[] = [];
  for (const prefix of prefixes) {
    for (const { name, oid } of await call.git.refs())
      if (name.startsWith(prefix)) starts.push(await commitOf(call, oid));
    const head = prefix === "refs/" && !hasOthers ? await call.git.commitAt("HEAD") : undefined;
    if (head) starts.push(head);
  }
  return starts;
}

/** Without those that others come from. */
async function newestOf(call: GitCall, commits: readonly GitCommitData[]): Promise<GitCommitData[]> {
  const distinct = [...new Map(commits.map((commit) => [commit.oid, commit])).values()];
  const newest: GitCommitData[] = [];
  for (const commit of distinct) if (!(await isBehindOther(call, commit, distinct))) newest.push(commit);
  return newest;
}

function wantedTest(options: LogOptions): (commit: GitCommitData) => boolean {
  const { merges, since, until } = options;
  const isAuthor = options.author.length > 0 ? lineTest(options.author, options) : undefined;
  const isMeant = options.grep.length > 0 ? lineTest(options.grep, options) : undefined;
  return ({ committer, parents, author, message }) => {
    const time = committer.timestamp;
    if ((since !== undefined && time < since) || (until !== undefined && time > until)) return false;
    if (merges !== undefined && merges !== parents.length > 1) return false;
    if (isAuthor && !isAuthor(`${author.name} <${author.email}>`)) return false;
    return !isMeant || message.trimEnd().split("\n").some(isMeant) !== options.isGrepInverted;
  };
}

function changesOf(
  call: GitCall,
  commit: GitCommitData,
  paths: readonly string[],
  style: DiffStyle,
): Promise<FileChange[]> {
  const [parent] = commit.parents;
  const from: GitDiffSide = parent === undefined ? "nothing" : { commit: parent };
  return changesBetween(call, from, { commit: commit.oid }, paths, style);
}

async function formatOf(call: GitCall, options: LogOptions): Promise<LogFormat> {
  const isDecorated = options.isDecorated || /^format:.*%[-+ ]?[dD]/s.test(options.format);
  return {
    name: options.format,
    isAbbreviated: options.isAbbreviated,
    idLength: options.idLength,
    decorations: isDecorated ? await decorations(call) : undefined,
    now: call.git.now(),
    ...(options.date ? { date: options.date } : {}),
  };
}

/** What is printed of each commit; those behind the first begin with what is between two. */
async function logTexts(call: GitCall, options: LogOptions, chosen: readonly Chosen[]): Promise<string[]> {
  const format = await formatOf(call, options);
  const { forms } = options.style;
  const isTemplate = options.format.startsWith("format:");
  const isSpaced = !isTemplate && options.format !== "oneline" && options.format !== "reference";
  const separator = isSpaced || (isTemplate && !options.isTerminated) ? "\n" : "";
  const hasForm = forms.some((form) => form !== "none");
  const texts: string[] = [];
  for (const { commit, changes, combined } of chosen) {
    const body = combined ?? (changes && hasForm ? await changesText(call, changes, options.style) : "");
    texts.push((texts.length > 0 ? separator : "") + oneText(commit, body, format, options, combined !== undefined));
  }
  return texts;
}

/** A commit, and what it changed. */
function oneText(
  commit: GitCommitData,
  body: string,
  format: LogFormat,
  { format: name, isTerminated, style }: LogOptions,
  isMerge: boolean,
): string {
  const divider = style.forms.includes("stat") && style.forms.includes("patch") && !isMerge ? "---\n" : "\n";
  if (name === "format:") return body;
  if (name.startsWith("format:")) {
    const blank = isMerge ? (isTerminated ? divider : "") : body && divider;
    const head = formatText(name.slice("format:".length), commit, format);
    return head + (isTerminated || body ? "\n" : "") + blank + body;
  }
  const isSpaced = name !== "oneline" && name !== "reference";
  return commitText(commit, format) + ((body && isSpaced) || isMerge ? divider : "") + body;
}

export async function showCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseLog(call.args, "show", call.git.now());
  if (options.style.forms.length === 0) options.style = { ...options.style, forms: ["patch"] };
  if (options.isGraph || options.starts.length > 0) notHere("show with --graph or --all", "use git log -p");
  const [first = "HEAD"] = options.operands;
  const blob = /^([^:]*):(.*)$/s.exec(first.replace(/^([^:]+)\^\{tree\}$/, "$1:"));
  if (blob && options.operands.length === 1) return showFile(call, first, blob[1] ?? "", blob[2] ?? "");
  const { revisions, paths } = await revisionsAndPaths(call, options.operands);
  const chosen: Chosen[] = [];
  for (const name of revisions.length > 0 ? revisions : ["HEAD"]) {
    const shown = await shownOf(call, await commitOf(call, name), options, paths);
    if (shown) chosen.push(shown);
  }
  return { stdout: (await logTexts(call, options, chosen)).join("") };
}

/** Undefined for a commit that changed none of the paths. */
async function shownOf(
  call: GitCall,
  commit: GitCommitData,
  { style, isFirstParent }: LogOptions,
  paths: readonly string[],
): Promise<Chosen | undefined> {
  if (commit.parents.length > 1 && !isFirstParent) return mergeShown(call, commit, paths, style);
  const changes = await changesOf(call, commit, paths, style);
  return paths.length > 0 && changes.length === 0 ? undefined : { commit, changes };
}

/** Lists of a merge with numbers are against its first parent; names and the patch are of what no parent has. */
async function mergeShown(
  call: GitCall,
  commit: GitCommitData,
  paths: readonly string[],
  style: DiffStyle,
): Promise<Chosen | undefined> {
  const files = await changedFromAll(call, commit, paths);
  if (paths.length > 0 && files.length === 0) return undefined;
  if (style.forms.every((form) => form === "none")) return { commit, changes: undefined };
  const forms = style.forms.filter((form) => /stat$|summary/.test(form));
  const isList = style.forms.some((form) => form.startsWith("name-"));
  const changes = forms.length > 0 && !isList ? await changesOf(call, commit, paths, style) : [];
  const lists = await changesText(call, changes, { ...style, forms });
  const patch = await combinedText(call, files, style);
  return { commit, changes: undefined, combined: lists + (lists && patch && "\n") + patch };
}

async function showFile(call: GitCall, shown: string, name: string, given: string): Promise<CommandOutput> {
  const side: GitDiffSide = name === "" ? "index" : { commit: (await commitOf(call, name)).oid };
  const path = given.startsWith("./") || given.startsWith("../") ? treePath(call, given).slice(1) : given;
  const files = await call.git.files(side);
  const file = files.get(path);
  if (file) return { stdout: await call.git.readBlob(file.oid) };
  const prefix = path === "" || path.endsWith("/") ? path : `${path}/`;
  const below = [...files.keys()].filter((each) => each.startsWith(prefix)).map((each) => each.slice(prefix.length));
  if (below.length === 0) fatal(`path '${given}' does not exist in '${name || "the index"}'`);
  const entries = [
    ...new Set(below.map((each) => (each.includes("/") ? `${each.slice(0, each.indexOf("/"))}/` : each))),
  ].sort();
  return { stdout: `tree ${shown}\n\n${entries.map((entry) => `${entry}\n`).join("")}` };
}
