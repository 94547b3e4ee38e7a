import type { GitCommitData, GitDiffSide } from "@tenrec/protocol";
import type { CommandOutput } from "../shell-command.ts";
import { changesBetween, changesText, diffForm, type FileChange, scriptText } from "./diff-text.ts";
import { commitOf, fatal, type GitCall, notHere, revisionsAndPaths, treePath } from "./git-call.ts";
import { commitText, decorations, formatText, type LogFormat } from "./log-text.ts";

/** Options that change nothing in what is printed here. */
const QUIET_OPTIONS =
  /^(--no-color|--color(=.*)?|--no-ext-diff|-M\d*%?|--find-renames.*|--no-pager|--no-prefix-x|--textconv|--minimal|--histogram|--patience|--no-textconv|--topo-order|--date-order|--no-show-signature|--follow|--full-history|-m|--graph-x|--no-decorate|--stat=.*|--no-patch-x|--ext-diff|--indent-heuristic)$/;

export async function diffCommand(call: GitCall): Promise<CommandOutput> {
  const { flags, form, operands } = parseDiff(call.args);
  const { revisions, paths } = await revisionsAndPaths(call, operands);
  const [from, to] = await diffSides(call, revisions, flags.has("cached"));
  const changes = await changesBetween(call, from, to, paths);
  const exitCode = (flags.has("quiet") || flags.has("exit-code")) && changes.length > 0 ? 1 : 0;
  if (flags.has("quiet")) return { exitCode };
  const text = flags.has("z") ? scriptText(changes, form) : await changesText(call, changes, form);
  return { stdout: text ?? notHere("diff -z", "use it with --name-only, --name-status or --numstat"), exitCode };
}

const DIFF_FLAGS: Readonly<Record<string, string>> = {
  "--cached": "cached",
  "--staged": "cached",
  "--quiet": "quiet",
  "--exit-code": "exit-code",
  "-z": "z",
};

function parseDiff(args: readonly string[]): { flags: ReadonlySet<string>; form: string; operands: string[] } {
  const flags = new Set<string>();
  const operands: string[] = [];
  let form = "patch";
  for (const [at, arg] of args.entries()) {
    if (arg === "--") {
      operands.push(...args.slice(at));
      break;
    }
    const wanted = diffForm(arg);
    const flag = Object.hasOwn(DIFF_FLAGS, arg) ? DIFF_FLAGS[arg] : undefined;
    if (wanted) form = wanted;
    else if (flag) flags.add(flag);
    else if (QUIET_OPTIONS.test(arg)) continue;
    else if (arg.startsWith("-")) notHere(`diff ${arg}`, "run git diff without it");
    else operands.push(arg);
  }
  return { flags, form, operands };
}

async function diffSides(
  call: GitCall,
  revisions: readonly string[],
  isCached: boolean,
): Promise<[GitDiffSide, GitDiffSide]> {
  const [first, second] = revisions;
  if (revisions.length > 2) fatal("too many revisions");
  if (first === undefined) {
    if (!isCached) return ["index", "work"];
    const { commit } = await call.git.status();
    return [commit === undefined ? "nothing" : { commit }, "index"];
  }
  const range = /^(.*?)(\.{2,3})(.*)$/.exec(first);
  if (range) {
    const [left, right] = [await commitOf(call, range[1] || "HEAD"), await commitOf(call, range[3] || "HEAD")];
    const base = range[2] === "..." ? await mergeBase(call, left, right) : left.oid;
    return [base === undefined ? "nothing" : { commit: base }, { commit: right.oid }];
  }
  const { oid: commit } = await commitOf(call, first);
  if (second !== undefined) return [{ commit }, { commit: (await commitOf(call, second)).oid }];
  return [{ commit }, isCached ? "index" : "work"];
}

async function mergeBase(call: GitCall, left: GitCommitData, right: GitCommitData): Promise<string | undefined> {
  const ours = new Set<string>();
  for await (const { oid } of walk(call, [left], new Set())) ours.add(oid);
  for await (const { oid } of walk(call, [right], new Set())) if (ours.has(oid)) return oid;
  return undefined;
}

/** Commits from some on, the newest first, each once; without those that are hidden. Ends where a shallow clone does. */
async function* walk(
  call: GitCall,
  from: readonly GitCommitData[],
  hidden: ReadonlySet<string>,
  isFirstParent = false,
): AsyncGenerator<GitCommitData> {
  const open = [...from];
  const seen = new Set(hidden);
  while (open.length > 0) {
    call.shell.signal.throwIfAborted();
    open.sort((a, b) => b.committer.timestamp - a.committer.timestamp);
    const commit = open.shift();
    if (!commit || seen.has(commit.oid)) continue;
    seen.add(commit.oid);
    yield commit;
    for (const parent of isFirstParent ? commit.parents.slice(0, 1) : commit.parents) {
      const found = seen.has(parent) ? undefined : await call.git.commitAt(parent);
      if (found) open.push(found);
    }
  }
}

interface LogOptions {
  format: string;
  isAbbreviated: boolean;
  isDecorated: boolean;
  isReverse: boolean;
  isAll: boolean;
  isFirstParent: boolean;
  /** `true` for merges only, `false` for none. */
  merges: boolean | undefined;
  isTerminated: boolean;
  date: string | undefined;
  limit: number;
  skip: number;
  form: string | undefined;
  author: string | undefined;
  grep: string | undefined;
  ignoresCase: boolean;
  since: number | undefined;
  until: number | undefined;
  operands: string[];
}

function parseLog(args: readonly string[], command: string): LogOptions {
  const options: LogOptions = {
    format: "medium",
    isAbbreviated: false,
    isDecorated: false,
    isReverse: false,
    isAll: false,
    isFirstParent: false,
    merges: undefined,
    isTerminated: true,
    date: undefined,
    limit: Infinity,
    skip: 0,
    form: undefined,
    author: undefined,
    grep: undefined,
    ignoresCase: false,
    since: undefined,
    until: undefined,
    operands: [],
  };
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === "--") {
      options.operands.push("--", ...rest);
      break;
    }
    const [, name = arg, attached] = /^(--[a-z-]+)=(.*)$/s.exec(arg) ?? [];
    const value = (): string => attached ?? rest.shift() ?? fatal(`option '${name}' requires a value`);
    const count = /^(?:-n|-)(\d+)$/.exec(arg)?.[1];
    const set = Object.hasOwn(SETTINGS, name) ? SETTINGS[name] : undefined;
    if (count !== undefined) options.limit = Number(count);
    else if (set) set(options, value);
    else if (diffForm(arg)) options.form = diffForm(arg);
    else if (arg.startsWith("-") && arg !== "-" && !QUIET_OPTIONS.test(arg))
      notHere(`${command} ${arg}`, `run git ${command} without it`);
    else if (!arg.startsWith("-")) options.operands.push(arg);
  }
  return options;
}

function setFormat(options: LogOptions, text: string): void {
  options.format = text.replace(/^t?format:/, "format:");
  options.isTerminated = !text.startsWith("format:");
}

const SETTINGS: Readonly<Record<string, (options: LogOptions, value: () => string) => void>> = {
  "-n": (options, value) => void (options.limit = Number(value())),
  "--max-count": (options, value) => void (options.limit = Number(value())),
  "--skip": (options, value) => void (options.skip = Number(value())),
  "--oneline": (options) => void Object.assign(options, { format: "oneline", isAbbreviated: true }),
  "--format": (options, value) => {
    const text = value();
    setFormat(options, (text === "" || /%/.test(text)) && !/^t?format:/.test(text) ? `tformat:${text}` : text);
  },
  "--pretty": (options, value) => setFormat(options, value()),
  "--date": (options, value) => void (options.date = value()),
  "--abbrev-commit": (options) => void (options.isAbbreviated = true),
  "--decorate": (options) => void (options.isDecorated = true),
  "--reverse": (options) => void (options.isReverse = true),
  "--all": (options) => void (options.isAll = true),
  "--branches": (options) => void (options.isAll = true),
  "--first-parent": (options) => void (options.isFirstParent = true),
  "--merges": (options) => void (options.merges = true),
  "--no-merges": (options) => void (options.merges = false),
  "--author": (options, value) => void (options.author = value()),
  "--grep": (options, value) => void (options.grep = value()),
  "-i": (options) => void (options.ignoresCase = true),
  "--since": (options, value) => void (options.since = timeOf(value())),
  "--after": (options, value) => void (options.since = timeOf(value())),
  "--until": (options, value) => void (options.until = timeOf(value())),
  "--before": (options, value) => void (options.until = timeOf(value())),
  "-s": (options) => void (options.form = "none"),
  "--no-patch": (options) => void (options.form = "none"),
};

function timeOf(text: string): number {
  const time = /^\d+$/.test(text)
    ? Number(text) * 1000
    : Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  if (Number.isNaN(time)) notHere(`the time '${text}'`, "give a date such as 2026-01-31");
  return time / 1000;
}

/** A commit that is shown, with what it changed where that is asked for. */
interface Chosen {
  readonly commit: GitCommitData;
  readonly changes: FileChange[] | undefined;
}

export async function logCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseLog(call.args, "log");
  const { branch, commit: head } = await call.git.status();
  if (head === undefined && !options.isAll) fatal(`your current branch '${branch}' does not have any commits yet`);
  const { revisions, paths } = await revisionsAndPaths(call, options.operands);
  const { starts, hidden } = await rangeOf(call, options, revisions);
  const chosen: Chosen[] = [];
  let skipped = 0;
  for await (const commit of walk(call, starts, hidden, options.isFirstParent)) {
    if (chosen.length >= options.limit) break;
    const found = isWanted(commit, options) ? await chosenOf(call, commit, options, paths) : undefined;
    if (found && skipped++ >= options.skip) chosen.push(found);
  }
  if (options.isReverse) chosen.reverse();
  return { stdout: await logText(call, options, chosen) };
}

/** Undefined for a commit that changed none of the paths. What a merge changed is not shown, as with git. */
async function chosenOf(
  call: GitCall,
  commit: GitCommitData,
  { form }: LogOptions,
  paths: readonly string[],
): Promise<Chosen | undefined> {
  const isMerge = commit.parents.length > 1;
  const hasForm = form !== undefined && form !== "none";
  if (isMerge) return paths.length > 0 ? undefined : { commit, changes: [] };
  const changes = hasForm || paths.length > 0 ? await changesOf(call, commit, paths) : undefined;
  return paths.length > 0 && changes?.length === 0 ? undefined : { commit, changes };
}

async function rangeOf(
  call: GitCall,
  options: LogOptions,
  revisions: readonly string[],
): Promise<{ starts: GitCommitData[]; hidden: Set<string> }> {
  const starts: GitCommitData[] = [];
  const hiddenStarts: GitCommitData[] = [];
  for (const revision of revisions) {
    const range = /^(.*?)\.\.(?!\.)(.*)$/.exec(revision);
    if (revision.includes("...")) notHere("a range with three dots in log", "use two dots");
    if (range) {
      hiddenStarts.push(await commitOf(call, range[1] || "HEAD"));
      starts.push(await commitOf(call, range[2] || "HEAD"));
    } else if (revision.startsWith("^")) hiddenStarts.push(await commitOf(call, revision.slice(1)));
    else starts.push(await commitOf(call, revision));
  }
  if (options.isAll) for (const { oid } of await call.git.refs()) starts.push(await commitOf(call, oid));
  if (starts.length === 0) starts.push(await commitOf(call, "HEAD"));
  const hidden = new Set<string>();
  if (hiddenStarts.length > 0) for await (const { oid } of walk(call, hiddenStarts, new Set())) hidden.add(oid);
  return { starts, hidden };
}

function isWanted(commit: GitCommitData, { merges, author, grep, ignoresCase, since, until }: LogOptions): boolean {
  const time = commit.committer.timestamp;
  if ((since !== undefined && time < since) || (until !== undefined && time > until)) return false;
  if (merges !== undefined && merges !== commit.parents.length > 1) return false;
  // Plain text, not an expression: nobody's pattern runs here.
  const has = (text: string, part: string): boolean =>
    ignoresCase ? text.toLowerCase().includes(part.toLowerCase()) : text.includes(part);
  if (author !== undefined && !has(`${commit.author.name} <${commit.author.email}>`, author)) return false;
  return grep === undefined || has(commit.message, grep);
}

function changesOf(call: GitCall, commit: GitCommitData, paths: readonly string[]): Promise<FileChange[]> {
  const [parent] = commit.parents;
  return changesBetween(call, parent === undefined ? "nothing" : { commit: parent }, { commit: commit.oid }, paths);
}

async function logText(call: GitCall, options: LogOptions, chosen: readonly Chosen[]): Promise<string> {
  const isTemplate = options.format.startsWith("format:");
  const template = options.format.slice("format:".length);
  const isDecorated = options.isDecorated || (isTemplate && /%[dD]/.test(template));
  const format: LogFormat = {
    name: options.format,
    isAbbreviated: options.isAbbreviated,
    decorations: isDecorated ? await decorations(call) : undefined,
    ...(options.date ? { date: options.date } : {}),
  };
  const isSpaced = !isTemplate && options.format !== "oneline";
  const texts: string[] = [];
  for (const { commit, changes } of chosen) {
    const body = await bodyText(call, options.form, changes);
    if (isTemplate) texts.push(templateText(formatText(template, commit, format), body, options.isTerminated));
    else texts.push(commitText(commit, format) + (body && isSpaced ? "\n" : "") + body);
  }
  return texts.join(isSpaced || (isTemplate && !options.isTerminated) ? "\n" : "");
}

async function bodyText(call: GitCall, form = "none", changes?: readonly FileChange[]): Promise<string> {
  return changes && form !== "none" ? changesText(call, changes, form) : "";
}

function templateText(head: string, body: string, isTerminated: boolean): string {
  if (head === "") return body;
  return head + (isTerminated || body ? "\n" : "") + (body && `\n${body}`);
}

export async function showCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseLog(call.args, "show");
  const [first = "HEAD"] = options.operands;
  const blob = /^([^:]*):(.*)$/s.exec(first);
  if (blob && options.operands.length === 1) return showFile(call, blob[1] ?? "", blob[2] ?? "");
  const { revisions, paths } = await revisionsAndPaths(call, options.operands);
  const chosen: Chosen[] = [];
  for (const name of revisions.length > 0 ? revisions : ["HEAD"]) {
    const commit = await commitOf(call, name);
    chosen.push({ commit, changes: commit.parents.length > 1 ? [] : await changesOf(call, commit, paths) });
  }
  return { stdout: await logText(call, { ...options, form: options.form ?? "patch" }, chosen) };
}

async function showFile(call: GitCall, name: string, given: string): Promise<CommandOutput> {
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
  return { stdout: `tree ${name}:${given}\n\n${entries.map((entry) => `${entry}\n`).join("")}` };
}
