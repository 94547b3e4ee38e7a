import { WORKSPACE_ROOT } from "@tenrec/protocol";
import type { CommandOutput } from "../shell-command.ts";
import { parseOptions } from "../commands/parse-options.ts";
import { type GitCall, GitFailure, notHere } from "./git-call.ts";

export async function initCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, { short: "b:q", long: { "initial-branch=": "b", quiet: "q", bare: "B" } });
  if (
    options.has("B") ||
    (options.operands[0] !== undefined && call.shell.resolve(options.operands[0]) !== WORKSPACE_ROOT)
  )
    notHere("a repository elsewhere than in /workspace", "run git init there");
  if (call.folder !== "/" && options.operands[0] === undefined)
    notHere(
      `a repository of its own in ${WORKSPACE_ROOT}${call.folder}`,
      `there is one, that of ${WORKSPACE_ROOT}: run git init there, and git add and git commit here`,
    );
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

export async function configCommand(call: GitCall): Promise<CommandOutput> {
  const scope = /^--(local|global|system|type=.*|bool|int|add|replace-all)$/;
  const [action = "", ...rest] = call.args.filter((arg) => !scope.test(arg));
  const { git } = call;
  if (/^(--list|-l|list)$/.test(action)) return listSettings(call);
  if (/^(--unset|--unset-all|unset)$/.test(action)) return unset(call, rest[0] ?? "");
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

async function unset({ git }: GitCall, key: string): Promise<CommandOutput> {
  const isSet = (await git.config(key)) !== undefined;
  await git.setConfig(key, undefined);
  return { exitCode: isSet ? 0 : 5 };
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
