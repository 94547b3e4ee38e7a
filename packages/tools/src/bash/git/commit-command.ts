import type { GitIdentity, GitWorkStatus } from "@tenrec/protocol";
import type { CommandOutput } from "../shell-command.ts";
import { parseOptions, type ParsedOptions } from "../commands/parse-options.ts";
import { authorOf, identityOf } from "./commit-author.ts";
import { changesBetween, modeChangesText, summaryText } from "./diff-text.ts";
import { pathQuoter } from "./quote-path.ts";
import { commitOf, type GitCall, isSelected, notHere, shortId, subjectOf, treePath } from "./git-call.ts";
import { dateText } from "./log-text.ts";
import { statusCommand } from "./status-command.ts";

const LONG = {
  "message=": "m",
  all: "a",
  amend: "A",
  "no-edit": "E",
  "allow-empty": "0",
  quiet: "q",
  verbose: "v",
  "file=": "F",
  "no-verify": "n",
  signoff: "s",
  "author=": "U",
  "date=": "D",
  "reuse-message=": "C",
  "fixup=": "X",
  "no-gpg-sign": "-",
  "dry-run": "d",
};

export async function commitCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, { short: "m:aqvF:nseC:", long: LONG });
  if (options.has("d")) notHere("commit --dry-run", "run git status");
  const { git } = call;
  const before = await git.status();
  await stageNamed(call, options, before);
  const committer = await identityOf(call);
  const author = await authorOf(call, options);
  const message = await messageOf(call, options, committer);
  const isAmended = options.has("A");
  if (message === "" && !(isAmended && before.commit !== undefined))
    notHere("writing a message in an editor", "give one with -m");
  const isEmpty = !(await git.status()).entries.some((entry) => entry.staged);
  if (isEmpty && before.merging === undefined && !isAmended && !options.has("0"))
    return { stdout: (await statusCommand({ ...call, args: [] })).stdout ?? "", exitCode: 1 };
  const parent = isAmended ? await parentOf(call, before.commit) : before.commit;
  const people = definedOnly({ author, committer });
  const oid = await git.commit({ message, ...people, allowEmpty: options.has("0"), amend: isAmended });
  const hasDate = isAmended || author?.timestamp !== undefined;
  return options.has("q") ? {} : { stdout: await committedText(call, before.branch, parent, oid, hasDate) };
}

function definedOnly<T extends object>(values: T): { [key in keyof T]?: Exclude<T[key], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

async function parentOf({ git }: GitCall, commit: string | undefined): Promise<string | undefined> {
  return commit === undefined ? undefined : (await git.commitAt(commit))?.parents[0];
}

/** `-a`, and paths that are named. */
async function stageNamed(call: GitCall, options: ParsedOptions, { entries }: GitWorkStatus): Promise<void> {
  const named = options.operands.map((path) => treePath(call, path));
  if (named.length > 0 && entries.some(({ path, staged }) => staged && !isSelected(path, named)))
    notHere("a commit of some paths while others are staged", "unstage those first with git restore --staged");
  if (!options.has("a") && named.length === 0) return;
  const changed = entries.filter(({ unstaged, unmerged }) => unmerged || (unstaged && unstaged !== "untracked"));
  const paths = changed.map(({ path }) => path).filter((path) => isSelected(path, named));
  if (paths.length > 0) await call.git.add(paths);
}

/** The message as git cleans it; empty when there is none. */
async function messageOf(call: GitCall, options: ParsedOptions, signer?: GitIdentity): Promise<string> {
  const { shell } = call;
  const parts = options.given.filter(([name]) => name === "m").map(([, text]) => text);
  const [reused, fixed] = [options.value("C"), options.value("X")];
  if (reused !== undefined) parts.push((await commitOf(call, reused)).message);
  if (fixed !== undefined) parts.unshift(`fixup! ${subjectOf((await commitOf(call, fixed)).message)}`);
  const file = options.value("F");
  if (file === "-") parts.push(shell.stdin.text());
  else if (file !== undefined) parts.push(await shell.fs.readFile(shell.resolve(file)));
  const text = parts
    .join("\n\n")
    .trim()
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n");
  if (text === "") return "";
  if (!options.has("s")) return `${text}\n`;
  if (!signer) notHere("commit --signoff without a name", "set user.name and user.email with git config");
  const line = `Signed-off-by: ${signer.name} <${signer.email}>`;
  if (text.endsWith(line)) return `${text}\n`;
  return `${text}${/\n\n(\S+: .*\n?)+$/.test(text) ? "\n" : "\n\n"}${line}\n`;
}

/** What a commit tells that was made; with its date where that is another one than now. */
export async function committedText(
  call: GitCall,
  branch: string | undefined,
  parent: string | undefined,
  oid: string,
  hasDate: boolean,
): Promise<string> {
  const made = await call.git.commitAt(oid);
  const changes = await changesBetween(call, parent === undefined ? "nothing" : { commit: parent }, { commit: oid });
  const where = `${branch ?? "detached HEAD"}${parent === undefined ? " (root-commit)" : ""}`;
  const isOthers =
    made && `${made.author.name}<${made.author.email}` !== `${made.committer.name}<${made.committer.email}`;
  const author = isOthers ? ` Author: ${made.author.name} <${made.author.email}>\n` : "";
  const date = hasDate && made ? ` Date: ${dateText(made.author)}\n` : "";
  const stat = changes.length > 0 ? summaryText(changes) + modeChangesText(changes, await pathQuoter(call)) : "";
  return `[${where} ${shortId(oid)}] ${subjectOf(made?.message ?? "")}\n${author}${date}${stat}`;
}
