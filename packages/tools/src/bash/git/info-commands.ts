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
  const { git, folder } = call;
  const { branch } = await git.status();
  let isShort = false;
  let isNamed = false;
  let isQuiet = false;
  const lines: string[] = [];
  const facts: Readonly<Record<string, string>> = {
    "--show-toplevel": WORKSPACE_ROOT,
    "--git-dir": folder === "" || folder === "/" ? ".git" : `${WORKSPACE_ROOT}/.git`,
    "--absolute-git-dir": `${WORKSPACE_ROOT}/.git`,
    "--is-inside-work-tree": "true",
    "--is-inside-git-dir": "false",
    "--is-bare-repository": "false",
    "--is-shallow-repository": "false",
    "--show-prefix": folder === "/" || folder === "" ? "" : `${folder.slice(1)}/`,
    "--show-cdup": folder
      .split("/")
      .filter(Boolean)
      .map(() => "../")
      .join(""),
  };
  for (const arg of call.args) {
    const fact = facts[arg];
    if (fact !== undefined) lines.push(fact);
    else if (/^--short(=\d+)?$/.test(arg)) isShort = true;
    else if (arg === "--abbrev-ref") isNamed = true;
    else if (arg === "-q" || arg === "--quiet") isQuiet = true;
    else if (arg.startsWith("-") && arg !== "--verify") notHere(`rev-parse ${arg}`, "name a commit");
    else if (!arg.startsWith("-")) {
      const commit = await git.commitAt(arg === "@" ? "HEAD" : arg);
      if (!commit) {
        if (isQuiet) return { exitCode: 1 };
        if (call.args.includes("--verify")) fatal("Needed a single revision");
        const text = `fatal: ambiguous argument '${arg}': unknown revision or path not in the working tree.\n`;
        return { stdout: `${[...lines, arg].join("\n")}\n`, stderr: text, exitCode: 128 };
      }
      const name = arg === "HEAD" || arg === "@" ? (branch ?? "HEAD") : arg;
      lines.push(isNamed ? name : isShort ? shortId(commit.oid) : commit.oid);
    }
  }
  return { stdout: lines.map((line) => `${line}\n`).join("") };
}

export async function configCommand(call: GitCall): Promise<CommandOutput> {
  const args = call.args.filter((arg) => !/^--(local|global|system|type=.*|bool|int|add|replace-all)$/.test(arg));
  const { git } = call;
  if (args[0] === "--list" || args[0] === "-l" || args[0] === "list") {
    const lines = await Promise.all(KNOWN_KEYS.map(async (key) => ({ key, value: await git.config(key) })));
    return { stdout: lines.flatMap(({ key, value }) => (value === undefined ? [] : [`${key}=${value}\n`])).join("") };
  }
  const [action = "", ...rest] = args;
  if (action === "--unset" || action === "--unset-all" || action === "unset") {
    await git.setConfig(rest[0] ?? "", undefined);
    return {};
  }
  const isRead = action === "--get" || action === "get";
  const [key = "", value] = isRead || action === "set" ? rest : args;
  if (key.startsWith("-") || key === "") notHere(`config ${key}`, "git config KEY reads and git config KEY VALUE sets");
  if (!key.includes(".")) throw new GitFailure(`error: key does not contain a section: ${key}`, 1);
  if (value === undefined || isRead) {
    const found = await git.config(key);
    return found === undefined ? { exitCode: 1 } : { stdout: `${found}\n` };
  }
  await git.setConfig(key, value);
  return {};
}

const KNOWN_KEYS = [
  "core.repositoryformatversion",
  "core.filemode",
  "core.bare",
  "user.name",
  "user.email",
  "remote.origin.url",
  "remote.origin.fetch",
  "init.defaultBranch",
];
