import type { Gate, GitRepository, Search } from "@tenrec/protocol";
import { hasCode, toModelText, WORKSPACE_ROOT } from "@tenrec/protocol";
import type { CommandContext, CommandOutput, ShellCommand } from "../shell-command.ts";
import { UsageError } from "../commands/parse-options.ts";
import { GitFailure, type GitPorts, notHere } from "./git-call.ts";
import { SUBCOMMANDS } from "./subcommands.ts";

/** What to do in place of a command of git that is not here. */
const INSTEAD: Readonly<Record<string, string>> = {
  submodule: "their files are not fetched here",
  worktree: "there is one work tree; use git checkout, or git show COMMIT:FILE",
  reflog: "git log --all shows the commits, git show ID one that no branch has",
  bisect: "check out commits between a good and a bad one: git log --oneline GOOD..BAD",
  "format-patch": "use git show COMMIT > FILE, which git apply takes",
  am: "use git apply, then git commit",
  bundle: "push to a remote",
  archive: "use tar czf FILE PATHS",
  notes: "write it into the message of the commit",
  fsck: "objects are checked when they come",
  "ls-remote": "use git fetch, then git branch -r",
  difftool: "use git diff",
  mergetool: "write the files as they should be, then git add them",
  "update-index": "use git add, or git rm --cached",
  "update-ref": "use git branch -f",
  "hash-object": "git add, then git ls-files -s tells the ids",
  "diff-tree": "use git show --format= --name-only COMMIT, or git diff A B",
  "diff-index": "use git diff HEAD",
  "diff-files": "use git diff",
  whatchanged: "use git log --name-status",
  annotate: "use git blame",
  "name-rev": "use git describe --tags --always",
  "filter-branch": "commit anew on a fresh branch",
  lfs: "files that it keeps elsewhere are not fetched here",
  gui: "use git status",
};

/** `git` on the repository of the tree. */
export function createGitCommand({
  git,
  gate,
  search,
}: {
  git: (signal: AbortSignal) => GitRepository;
  gate: Gate;
  search: Search;
}): ShellCommand {
  return {
    name: "git",
    async run(args, shell) {
      try {
        return await runGit({ git: git(shell.signal), gate, search }, args, shell);
      } catch (error) {
        return failureOf(error, args);
      }
    },
  };
}

async function runGit(ports: GitPorts, given: readonly string[], shell: CommandContext): Promise<CommandOutput> {
  if (/^(--version|-v|version)$/.test(given[0] ?? "")) return { stdout: "git version 2.47.0\n" };
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
