import type { GitCommitData } from "@tenrec/protocol";
import type { CommandOutput } from "../shell-command.ts";
import { parseOptions, type ParsedOptions } from "../commands/parse-options.ts";
import { commitOf, fatal, type GitCall, GitFailure, notHere, subjectOf } from "./git-call.ts";
import { chooseCommits } from "./history-commands.ts";
import { parseLog } from "./log-options.ts";
import { isAncestor, mergeBases, walkHistory } from "./walk-history.ts";

export async function mergeBaseCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, {
    short: "a",
    long: { all: "a", "is-ancestor": "i", "fork-point": "f", octopus: "f", independent: "f" },
  });
  if (options.has("f")) notHere("merge-base with this option", "name two commits");
  const [left, right, ...more] = options.operands;
  if (left === undefined || right === undefined || more.length > 0)
    throw new GitFailure("usage: git merge-base [-a | --all | --is-ancestor] <commit> <commit>", 129);
  const known = async (name: string): Promise<GitCommitData> =>
    (await call.git.commitAt(name)) ?? fatal(`Not a valid object name ${name}`);
  const [a, b] = [await known(left), await known(right)];
  if (options.has("i")) return { exitCode: (await isAncestor(call, a.oid, b)) ? 0 : 1 };
  const bases = await mergeBases(call, a, b);
  const shown = options.has("a") ? bases : bases.slice(0, 1);
  return { stdout: shown.map(({ oid }) => `${oid}\n`).join(""), exitCode: bases.length > 0 ? 0 : 1 };
}

export async function revListCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseLog(
    call.args.filter((arg) => arg !== "--count"),
    "rev-list",
    call.git.now(),
  );
  const hasForm = options.style.forms.length > 0 || options.format !== "medium" || options.isGraph;
  if (hasForm) notHere("rev-list with what is printed", "use git log with --format");
  if (options.operands.length === 0 && options.starts.length === 0)
    throw new GitFailure("usage: git rev-list [<options>] <commit>... [--] [<path>...]", 129);
  const { chosen } = await chooseCommits(call, options);
  if (call.args.includes("--count")) return { stdout: `${chosen.length}\n` };
  const length = options.isAbbreviated ? options.idLength : 40;
  return { stdout: chosen.map(({ commit }) => `${commit.oid.slice(0, length)}\n`).join("") };
}

const DESCRIBE = {
  tags: "t",
  all: "a",
  always: "A",
  "abbrev=": "b",
  "exact-match": "x",
  "dirty?": "d",
  long: "l",
  "match=": "m",
  "first-parent": "f",
};

export async function describeCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, { short: "", long: DESCRIBE });
  if (options.has("a", "m", "f")) notHere("describe with this option", "use git describe --tags");
  const commit = await commitOf(call, options.operands[0] ?? "HEAD").catch(() =>
    fatal(`Not a valid object name ${options.operands[0] ?? "HEAD"}`),
  );
  const length = Number(options.value("b") ?? 7);
  const { tags, hasPlain } = await tagsByCommit(call, options.has("t"));
  const nearest = await nearestTag(call, commit, tags);
  const isDirty =
    options.has("d") && (await call.git.status()).entries.some(({ unstaged }) => unstaged !== "untracked");
  const end = isDirty ? options.value("d") || "-dirty" : "";
  if (!nearest || (options.has("x") && nearest.depth > 0)) {
    if (options.has("A")) return { stdout: `${commit.oid.slice(0, length || 7)}${end}\n` };
    return fatal(missingTag(commit.oid, options, tags.size > 0, hasPlain));
  }
  const isPlain = length === 0 || (nearest.depth === 0 && !options.has("l"));
  const behind = isPlain ? "" : `-${nearest.depth}-g${commit.oid.slice(0, length)}`;
  return { stdout: `${nearest.name}${behind}${end}\n` };
}

function missingTag(oid: string, options: ParsedOptions, hasTags: boolean, hasPlain: boolean): string {
  if (options.has("x")) return `no tag exactly matches '${oid}'`;
  if (!hasTags && !hasPlain) return "No names found, cannot describe anything.";
  if (!options.has("t") && hasPlain)
    return `No annotated tags can describe '${oid}'.\nHowever, there were unannotated tags: try --tags.`;
  return `No tags can describe '${oid}'.\nTry --always, or create some tags.`;
}

/** Tags that have a message count for themselves; plain ones where they are asked for. */
async function tagsByCommit(
  { git }: GitCall,
  withPlain: boolean,
): Promise<{ tags: ReadonlyMap<string, string>; hasPlain: boolean }> {
  const tags = new Map<string, string>();
  let hasPlain = false;
  for (const { name, oid } of await git.refs()) {
    if (!name.startsWith("refs/tags/")) continue;
    const commit = await git.commitAt(name);
    const isPlain = commit?.oid === oid;
    hasPlain ||= isPlain;
    if (commit && (withPlain || !isPlain)) tags.set(commit.oid, name.slice("refs/tags/".length));
  }
  return { tags, hasPlain };
}

async function nearestTag(
  call: GitCall,
  commit: GitCommitData,
  tags: ReadonlyMap<string, string>,
): Promise<{ name: string; depth: number } | undefined> {
  if (tags.size === 0) return undefined;
  for await (const each of walkHistory(call, [commit], new Set())) {
    const name = tags.get(each.oid);
    if (name === undefined) continue;
    const hidden = new Set<string>();
    for await (const { oid } of walkHistory(call, [each], new Set())) hidden.add(oid);
    let depth = 0;
    for await (const _ of walkHistory(call, [commit], hidden)) depth++;
    return { name, depth };
  }
  return undefined;
}

/** Commits by author. git reads a log where it is piped one; here that is what was committed, as with `HEAD`. */
export async function shortlogCommand(call: GitCall): Promise<CommandOutput> {
  const flags = call.args.filter((arg) => /^-[sne]+$/.test(arg)).join("");
  const long = { "--summary": "s", "--numbered": "n", "--email": "e" } as const;
  const isLong = (arg: string): arg is keyof typeof long => Object.hasOwn(long, arg);
  const letters =
    flags +
    call.args
      .filter(isLong)
      .map((arg) => long[arg])
      .join("");
  const rest = call.args.filter((arg) => !/^-[sne]+$/.test(arg) && !isLong(arg));
  const { chosen } = await chooseCommits(call, parseLog(rest, "shortlog", call.git.now()));
  const people = new Map<string, string[]>();
  for (const { commit } of chosen) {
    const { name, email } = commit.author;
    const who = letters.includes("e") ? `${name} <${email}>` : name;
    people.set(who, [subjectOf(commit.message), ...(people.get(who) ?? [])]);
  }
  const list = [...people].sort(([a], [b]) => (a < b ? -1 : 1));
  if (letters.includes("n")) list.sort(([, a], [, b]) => b.length - a.length);
  const text = list.map(([who, subjects]) =>
    letters.includes("s")
      ? `${String(subjects.length).padStart(6)}\t${who}\n`
      : `${who} (${subjects.length}):\n${subjects.map((subject) => `      ${subject}\n`).join("")}\n`,
  );
  return { stdout: text.join("") };
}
