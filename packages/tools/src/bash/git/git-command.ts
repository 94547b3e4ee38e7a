import type { Gate, GitRepository } from "@tenrec/protocol";
import { hasCode, toModelText, WORKSPACE_ROOT } from "@tenrec/protocol";
import type { CommandContext, CommandOutput, ShellCommand } from "../shell-command.ts";
import { UsageError } from "../commands/parse-options.ts";
import { branchCommand } from "./branch-command.ts";
import { addCommand, lsFilesCommand, mvCommand, resetCommand, restoreCommand, rmCommand } from "./change-commands.ts";
import { checkoutCommand, switchCommand } from "./checkout-command.ts";
import { commitCommand } from "./commit-command.ts";
import { GitFailure, type GitPorts, type GitSubcommand, notHere } from "./git-call.ts";
import { diffCommand } from "./diff-command.ts";
import { logCommand, showCommand } from "./history-commands.ts";
import { configCommand, initCommand, revParseCommand } from "./info-commands.ts";
import { cloneCommand, fetchCommand, pullCommand, pushCommand, remoteCommand } from "./remote-commands.ts";
import { mergeCommand } from "./merge-command.ts";
import { tagCommand } from "./tag-command.ts";
import { stashCommand } from "./stash-command.ts";
import { statusCommand } from "./status-command.ts";

const SUBCOMMANDS: Readonly<Record<string, GitSubcommand>> = {
  status: statusCommand,
  diff: diffCommand,
  log: logCommand,
  show: showCommand,
  add: addCommand,
  stage: addCommand,
  rm: rmCommand,
  mv: mvCommand,
  commit: commitCommand,
  restore: restoreCommand,
  reset: resetCommand,
  branch: branchCommand,
  checkout: checkoutCommand,
  switch: switchCommand,
  tag: tagCommand,
  merge: mergeCommand,
  stash: stashCommand,
  remote: remoteCommand,
  fetch: fetchCommand,
  pull: pullCommand,
  push: pushCommand,
  clone: cloneCommand,
  init: initCommand,
  config: configCommand,
  "rev-parse": revParseCommand,
  "ls-files": lsFilesCommand,
};

/** What to do in place of a command of git that is not here. */
const INSTEAD: Readonly<Record<string, string>> = {
  rebase: "merge instead, or commit anew on a fresh branch",
  "cherry-pick": "show the commit, make the change, and commit it",
  revert: "git show the commit, undo the change, and commit it",
  blame: "git log -p -- PATH shows who changed what",
  clean: "remove the files with rm; git status -s lists them",
  apply: "use patch -p1",
  grep: "use grep -rn",
  submodule: "their files are not fetched here",
};

/** `git` on the repository of the tree. */
export function createGitCommand({
  git,
  gate,
}: {
  git: (signal: AbortSignal) => GitRepository;
  gate: Gate;
}): ShellCommand {
  return {
    name: "git",
    async run(args, shell) {
      try {
        return await runGit({ git: git(shell.signal), gate }, args, shell);
      } catch (error) {
        return failureOf(error, args);
      }
    },
  };
}

async function runGit(ports: GitPorts, given: readonly string[], shell: CommandContext): Promise<CommandOutput> {
  if (given[0] === "--version" || given[0] === "-v") return { stdout: "git version 2.47.0\n" };
  const { cwd, args, settings } = globalOptions(given, shell);
  const [name, ...rest] = args;
  const list = Object.keys(SUBCOMMANDS).join(", ");
  if (name === undefined || name === "help" || rest.includes("--help"))
    return { stdout: `git commands here: ${list}\n`, exitCode: name === undefined ? 1 : 0 };
  const subcommand = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
  if (!subcommand) {
    const instead = Object.hasOwn(INSTEAD, name) ? INSTEAD[name] : undefined;
    if (instead !== undefined) notHere(name, instead);
    throw new GitFailure(`git: '${name}' is not a git command here; there are ${list}`, 1);
  }
  if (cwd !== WORKSPACE_ROOT && !cwd.startsWith(`${WORKSPACE_ROOT}/`))
    throw new GitFailure("fatal: not a git repository (or any of the parent directories): .git");
  const inFolder: CommandContext = { ...shell, cwd, resolve: (path) => shell.fs.resolvePath(cwd, path) };
  return subcommand({
    ...ports,
    args: rest,
    shell: inFolder,
    folder: cwd.slice(WORKSPACE_ROOT.length) || "/",
    settings,
  });
}

/** Takes off what stands before the command. */
function globalOptions(
  given: readonly string[],
  shell: CommandContext,
): { cwd: string; args: string[]; settings: ReadonlyMap<string, string> } {
  const args = [...given];
  const settings = new Map<string, string>();
  let { cwd } = shell;
  for (let first = args[0]; first?.startsWith("-"); first = args[0]) {
    args.shift();
    if (first === "-C") cwd = shell.fs.resolvePath(cwd, args.shift() ?? "");
    // Settings for one call: colours, pagers and the like, of which there are none, and how names are quoted.
    else if (first === "-c") {
      const [, name = "", value = "true"] = /^([^=]*)(?:=(.*))?$/s.exec(args.shift() ?? "") ?? [];
      settings.set(name.toLowerCase(), value);
    } else if (!/^(--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/.test(first)) notHere(first, "leave it out");
  }
  return { cwd, args, settings };
}

function failureOf(error: unknown, args: readonly string[]): CommandOutput {
  if (error instanceof GitFailure) return { stderr: `${error.message}\n`, exitCode: error.exitCode };
  if (error instanceof UsageError)
    return { stderr: `error: git ${args[0]}: ${error.message} (or it is not supported here)\n`, exitCode: 129 };
  if (hasCode(error, "git-not-found") && error.message.includes("repository here"))
    return {
      stderr:
        "fatal: not a git repository (or any of the parent directories): .git\nUse git init, or git clone URL /workspace.\n",
      exitCode: 128,
    };
  if (hasCode(error, "approval-required")) throw error;
  if (hasCode(error, "not-configured") && /author|commit/.test(error.message))
    return {
      stderr:
        'Author identity unknown\n\n*** Please tell me who you are.\n\nRun\n\n  git config user.email "you@example.com"\n  git config user.name "Your Name"\n\nfatal: unable to auto-detect email address\n',
      exitCode: 128,
    };
  return { stderr: `fatal: ${toModelText(error)}\n`, exitCode: hasCode(error, "unsupported") ? 129 : 128 };
}
