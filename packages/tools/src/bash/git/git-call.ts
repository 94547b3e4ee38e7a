import type { Gate, GitCommitData, GitRepository, Search } from "@tenrec/protocol";
import { WORKSPACE_ROOT } from "@tenrec/protocol";
import type { CommandContext, CommandOutput } from "../shell-command.ts";

/** What `git` needs of the outside. */
export interface GitPorts {
  /** The repository of the tree that this call works on. */
  readonly git: GitRepository;
  readonly gate: Gate;
  /** What `git grep` looks with. */
  readonly search: Search;
}

/** One call of a command of git. */
export interface GitCall extends GitPorts {
  readonly args: readonly string[];
  readonly shell: CommandContext;
  /** The folder that paths are relative to, as a tree path. */
  readonly folder: string;
  /** What `-c` says, by the name in lower case. */
  readonly settings: ReadonlyMap<string, string>;
}

export type GitSubcommand = (call: GitCall) => Promise<CommandOutput>;

/** What git ends with, in its own words. */
export class GitFailure extends Error {
  override readonly name = "GitFailure";
  readonly exitCode: number;

  constructor(text: string, exitCode = 128) {
    super(text);
    this.exitCode = exitCode;
  }
}

export function fatal(text: string): never {
  throw new GitFailure(`fatal: ${text}`);
}

/** An option or a form that git has and this one does not. */
export function notHere(what: string, instead: string): never {
  throw new GitFailure(`git: ${what} is not supported here; ${instead}`, 129);
}

/** The tree path of a path that was given, with a `!` where it stands for what is left out; one outside is fatal. */
export function treePath(call: Pick<GitCall, "shell">, given: string): string {
  const [, signs, words = "", rest = ""] = /^:(?:([!^/]+)|\(([^()]*)\))(.*)$/s.exec(given) ?? [];
  if (signs === undefined && !given.startsWith(":(")) return plainPath(call, given);
  const magic =
    signs === undefined ? words.split(",") : Array.from(signs, (sign) => (sign === "/" ? "top" : "exclude"));
  const unknown = magic.find((word) => word !== "top" && word !== "exclude");
  if (unknown !== undefined) notHere(`a path with :(${unknown})`, "write it with * as in 'src/*.ts'");
  const path = plainPath(call, magic.includes("top") ? `${WORKSPACE_ROOT}/${rest}` : rest);
  return magic.includes("exclude") ? `!${path}` : path;
}

function plainPath({ shell }: Pick<GitCall, "shell">, given: string): string {
  const path = shell.resolve(given);
  if (path === WORKSPACE_ROOT) return "/";
  if (!path.startsWith(`${WORKSPACE_ROOT}/`))
    fatal(`${given}: '${given}' is outside repository at '${WORKSPACE_ROOT}'`);
  return path.slice(WORKSPACE_ROOT.length);
}

/** A tree path as it is from the current folder, not quoted. */
export function shownPath({ folder }: Pick<GitCall, "folder">, path: string): string {
  const [from, to] = [folder, path].map((each) => each.split("/").filter(Boolean)) as [string[], string[]];
  let shared = 0;
  while (shared < from.length && shared < to.length && from[shared] === to[shared]) shared++;
  return [...from.slice(shared).map(() => ".."), ...to.slice(shared)].join("/") || "./";
}

/** Whether a tree path is one of those that were named, or in one of them; with none named, all are. */
export function isSelected(path: string, selected: readonly string[]): boolean {
  const left = (each: string): boolean => each.startsWith("!");
  if (selected.some((each) => left(each) && matchesPath(path, each.slice(1)))) return false;
  return selected.every(left) || selected.some((each) => !left(each) && matchesPath(path, each));
}

function matchesPath(path: string, selected: string): boolean {
  if (selected === "/" || path === selected || path.startsWith(`${selected}/`)) return true;
  return /[*?]/.test(selected) && globLike(selected, path);
}

/** A pathspec's `*` crosses folders. Linear in the product of both lengths. */
function globLike(glob: string, path: string): boolean {
  let reach = new Set([0]);
  for (const char of glob) {
    const next = new Set<number>();
    for (const at of reach) {
      if (char === "*") for (let end = at; end <= path.length; end++) next.add(end);
      else if (at < path.length && (char === "?" || char === path[at])) next.add(at + 1);
    }
    reach = next;
  }
  return reach.has(path.length);
}

/** The commit of a name: also `@`, `main@{upstream}`, and with `^{commit}` behind it. */
export async function findCommit({ git }: Pick<GitCall, "git">, given: string): Promise<GitCommitData | undefined> {
  const name = given.replace(/\^\{(commit)?\}$/, "").replace(/^stash@\{0\}/, "refs/stash");
  const [, ofMerge] = /^MERGE_HEAD((?:[~^]\d*)*)$/.exec(name) ?? [];
  const { merging } = ofMerge === undefined ? {} : await git.status();
  if (merging !== undefined) return git.commitAt(merging + ofMerge);
  const [, branch, steps = ""] = /^(.*?)@\{(?:u|upstream)\}((?:[~^]\d*)*)$/.exec(name) ?? [];
  if (branch === undefined) return git.commitAt(name === "@" ? "HEAD" : name.replace(/^@(?=[~^])/, "HEAD"));
  const upstream = await upstreamOf({ git }, branch);
  return upstream === undefined ? undefined : git.commitAt(upstream + steps);
}

/** The ref that a branch, or the current one, follows. */
export async function upstreamOf({ git }: Pick<GitCall, "git">, branch: string): Promise<string | undefined> {
  const name = branch === "" || branch === "HEAD" ? (await git.status()).branch : branch;
  const [remote, merge] = [await git.config(`branch.${name}.remote`), await git.config(`branch.${name}.merge`)];
  if (remote === undefined || merge === undefined) return undefined;
  return `refs/remotes/${remote}/${merge.replace(/^refs\/heads\//, "")}`;
}

/** Ways to name a commit that git has and this one has not. */
const UNKNOWN_FORMS: readonly (readonly [form: RegExp, what: string, instead: string])[] = [
  [/^(ORIG_HEAD|FETCH_HEAD)\b/, "what a ref was before", "git log --all shows the commits: name one by its id"],
  [/@\{(?!u\}|upstream\}|push\})/, "what a ref was before", "git log --all shows the commits: name one by its id"],
  [/\^[!@]$|\^-\d*$/, "a commit without its parents", "write it as in HEAD~1..HEAD"],
  [/^[^:]+:./, "a file of a commit, where a commit belongs,", "use git diff A B -- FILE, or git show COMMIT:FILE"],
];

/** Says what to do in place of such a name. */
export function refuseForm(name: string): void {
  for (const [form, what, instead] of UNKNOWN_FORMS) if (form.test(name)) notHere(`${name}: ${what}`, instead);
}

/** The commit of a name; fatal when there is none. */
export async function commitOf({ git }: Pick<GitCall, "git">, name: string): Promise<GitCommitData> {
  const commit = await findCommit({ git }, name);
  if (commit) return commit;
  refuseForm(name);
  return fatal(
    `ambiguous argument '${name}': unknown revision or path not in the working tree.\nUse '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'`,
  );
}

export function shortId(oid: string): string {
  return oid.slice(0, 7);
}

export function subjectOf(message: string): string {
  return (message.trim().split(/\n\s*\n/)[0] ?? "").replaceAll("\n", " ");
}

/** Takes revisions and paths apart as git does: what is a commit is one, what is a file is one, `--` divides them. */
export async function revisionsAndPaths(
  call: GitCall,
  operands: readonly string[],
): Promise<{ revisions: string[]; paths: string[] }> {
  const divider = operands.indexOf("--");
  if (divider !== -1)
    return {
      revisions: operands.slice(0, divider),
      paths: operands.slice(divider + 1).map((path) => treePath(call, path)),
    };
  const revisions: string[] = [];
  for (const [at, operand] of operands.entries()) {
    const names = (operand.startsWith(":") ? "" : operand)
      .split(/\.{2,3}/)
      .filter(Boolean)
      .map((name) => name.replace(/^\^/, ""));
    const found = await Promise.all(names.map((name) => findCommit(call, name)));
    if (names.length > 0 && found.every(Boolean)) {
      revisions.push(operand);
      continue;
    }
    const paths = operands.slice(at);
    for (const path of paths) {
      if (/[*?]|^:/.test(path) || (await call.shell.fs.exists(call.shell.resolve(path)))) continue;
      await commitOf(call, path);
    }
    return { revisions, paths: paths.map((path) => treePath(call, path)) };
  }
  return { revisions, paths: [] };
}
