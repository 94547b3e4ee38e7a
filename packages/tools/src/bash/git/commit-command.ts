import type { GitIdentity, GitWorkStatus } from "@tenrec/protocol";
import type { CommandOutput } from "../shell-command.ts";
import { parseOptions, type ParsedOptions } from "../commands/parse-options.ts";
import { changesBetween, modeChangesText, summaryText } from "./diff-text.ts";
import { pathQuoter } from "./quote-path.ts";
import { fatal, type GitCall, isSelected, notHere, shortId, subjectOf, treePath } from "./git-call.ts";
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
  "no-gpg-sign": "-",
  "dry-run": "d",
};

export async function commitCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, { short: "m:aqvF:nse", long: LONG });
  if (options.has("d")) notHere("commit --dry-run", "run git status");
  const { git } = call;
  const before = await git.status();
  await stageNamed(call, options, before);
  const author = await authorOf(call, options.value("U"));
  const message = await messageOf(call, options, author);
  const isAmended = options.has("A");
  if (message === "" && !(isAmended && before.commit !== undefined))
    notHere("writing a message in an editor", "give one with -m");
  const isEmpty = !(await git.status()).entries.some((entry) => entry.staged);
  if (isEmpty && before.merging === undefined && !isAmended && !options.has("0"))
    return { stdout: (await statusCommand({ ...call, args: [] })).stdout ?? "", exitCode: 1 };
  const parent = isAmended ? await parentOf(call, before.commit) : before.commit;
  const identity = author ? { author } : {};
  const oid = await git.commit({ message, ...identity, allowEmpty: options.has("0"), amend: isAmended });
  return options.has("q") ? {} : { stdout: await commitText(call, before.branch, parent, oid, isAmended) };
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
async function messageOf({ shell }: GitCall, options: ParsedOptions, author?: GitIdentity): Promise<string> {
  const parts = options.given.filter(([name]) => name === "m").map(([, text]) => text);
  const file = options.value("F");
  if (file === "-") parts.push(shell.stdin.text());
  else if (file !== undefined) parts.push(await shell.fs.readFile(shell.resolve(file)));
  const text = parts
    .join("\n\n")
    .trim()
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n");
  if (text === "") return "";
  return options.has("s") && author ? `${text}\n\nSigned-off-by: ${author.name} <${author.email}>\n` : `${text}\n`;
}

async function commitText(
  call: GitCall,
  branch: string | undefined,
  parent: string | undefined,
  oid: string,
  isAmended: boolean,
): Promise<string> {
  const made = await call.git.commitAt(oid);
  const changes = await changesBetween(call, parent === undefined ? "nothing" : { commit: parent }, { commit: oid });
  const where = `${branch ?? "detached HEAD"}${parent === undefined ? " (root-commit)" : ""}`;
  const date = isAmended && made ? ` Date: ${dateText(made.author)}\n` : "";
  const stat = changes.length > 0 ? summaryText(changes) + modeChangesText(changes, await pathQuoter(call)) : "";
  return `[${where} ${shortId(oid)}] ${subjectOf(made?.message ?? "")}\n${date}${stat}`;
}

async function authorOf(
  { git }: GitCall,
  given: string | undefined,
): Promise<{ name: string; email: string } | undefined> {
  const match = given === undefined ? undefined : /^(.+?) *<([^<>]+)>$/.exec(given);
  if (given !== undefined && !match) fatal(`--author '${given}' is not 'Name <email>'`);
  const name = match?.[1] ?? (await git.config("user.name"));
  const email = match?.[2] ?? (await git.config("user.email"));
  return name === undefined || email === undefined ? undefined : { name, email };
}
