import { WORKSPACE_ROOT } from "@tenrec/protocol";
import type { CommandOutput } from "../shell-command.ts";
import { parseOptions } from "../commands/parse-options.ts";
import { fatal, type GitCall, GitFailure, notHere, shortId } from "./git-call.ts";

export async function initCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, { short: "b:q", long: { "initial-branch=": "b", quiet: "q", bare: "B" } });
  if (
    options.has("B") ||
    (options.operands[0] !== undefined && call.shell.resolve(options.operands[0]) !== WORKSPACE_ROOT)
  )
    notHere("a repository elsewhere than in /workspace", "run git init there");
  const exists = await call.git.status().then(
    () => true,
    () => false,
  );
  await call.git.init(options.value("b") ?? "main");
  if (options.has("q")) return {};
  return {
    stdout: exists
      ? `Reinitialized existing Git repository in ${WORKSPACE_ROOT}/.git/\n`
      : `Initialized empty Git repository in ${WORKSPACE_ROOT}/.git/\n`,
  };
}

export async function revParseCommand(call: GitCall): Promise<CommandOutput> {
  const facts = new Map(Object.entries(factsOf(call)));
  const wanted = call.args.filter((arg) => arg.startsWith("-"));
  const unknown = wanted.find((arg) => !facts.has(arg) && !KNOWN_OPTIONS.test(arg));
  if (unknown !== undefined) notHere(`rev-parse ${unknown}`, "name a commit");
  let stdout = "";
  for (const arg of call.args) {
    const fact = facts.get(arg);
    if (fact !== undefined) stdout += `${fact}\n`;
    if (arg.startsWith("-")) continue;
    const name = await revision(call, arg, wanted);
    if (name !== undefined) stdout += `${name}\n`;
    else if (wanted.includes("-q") || wanted.includes("--quiet")) return { exitCode: 1 };
    else if (wanted.includes("--verify")) fatal("Needed a single revision");
    else {
      const text = `fatal: ambiguous argument '${arg}': unknown revision or path not in the working tree.\n`;
      return { stdout: `${stdout}${arg}\n`, stderr: text, exitCode: 128 };
    }
  }
  return { stdout };
}

const KNOWN_OPTIONS = /^(--short(=\d+)?|--abbrev-ref|-q|--quiet|--verify)$/;

/** What can be asked about the repository. */
function factsOf({ folder }: GitCall): Readonly<Record<string, string>> {
  const names = folder.split("/").filter(Boolean);
  return {
    "--show-toplevel": WORKSPACE_ROOT,
    "--git-dir": names.length === 0 ? ".git" : `${WORKSPACE_ROOT}/.git`,
    "--absolute-git-dir": `${WORKSPACE_ROOT}/.git`,
    "--is-inside-work-tree": "true",
    "--is-inside-git-dir": "false",
    "--is-bare-repository": "false",
    "--show-prefix": names.map((name) => `${name}/`).join(""),
    "--show-cdup": names.map(() => "../").join(""),
  };
}

async function revision({ git }: GitCall, given: string, options: readonly string[]): Promise<string | undefined> {
  const isHead = given === "HEAD" || given === "@";
  const commit = await git.commitAt(isHead ? "HEAD" : given);
  if (!commit) return undefined;
  if (options.includes("--abbrev-ref")) return isHead ? ((await git.status()).branch ?? "HEAD") : given;
  return options.some((option) => option.startsWith("--short")) ? shortId(commit.oid) : commit.oid;
}

export async function configCommand(call: GitCall): Promise<CommandOutput> {
  const scope = /^--(local|global|system|type=.*|bool|int|add|replace-all)$/;
  const [action = "", ...rest] = call.args.filter((arg) => !scope.test(arg));
  const { git } = call;
  if (/^(--list|-l|list)$/.test(action)) return listSettings(call);
  if (/^(--unset|--unset-all|unset)$/.test(action)) {
    await git.setConfig(rest[0] ?? "", undefined);
    return {};
  }
  const isRead = action === "--get" || action === "get";
  const [key = "", value] = isRead || action === "set" ? rest : [action, ...rest];
  if (key.startsWith("-") || key === "") notHere(`config ${key}`, "git config KEY reads and git config KEY VALUE sets");
  if (!key.includes(".")) throw new GitFailure(`error: key does not contain a section: ${key}`, 1);
  if (value !== undefined && !isRead) {
    await git.setConfig(key, value);
    return {};
  }
  const found = await git.config(key);
  return found === undefined ? { exitCode: 1 } : { stdout: `${found}\n` };
}

const SHOWN_SETTINGS = [
  "core.repositoryformatversion",
  "core.filemode",
  "core.bare",
  "user.name",
  "user.email",
  "remote.origin.url",
  "remote.origin.fetch",
  "init.defaultBranch",
];

async function listSettings({ git }: GitCall): Promise<CommandOutput> {
  let stdout = "";
  for (const key of SHOWN_SETTINGS) {
    const value = await git.config(key);
    if (value !== undefined) stdout += `${key}=${value}\n`;
  }
  return { stdout };
}
