import { hasCode } from "@tenrec/protocol";
import type { CommandOutput } from "../shell-command.ts";
import { parseOptions } from "../commands/parse-options.ts";
import { joinedText } from "./merge-command.ts";
import { fatal, type GitCall, GitFailure, notHere, shortId } from "./git-call.ts";

/** Asks for leave to use the network. A remote that is not there is said first: nobody need be asked for that. */
async function requireNetwork({ git, gate, args }: GitCall, command: string, remote: string): Promise<void> {
  const found = (await git.remotes()).find(({ name }) => name === remote);
  if (!found)
    fatal(
      `'${remote}' does not appear to be a git repository\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.`,
    );
  const detail = ["git", command, ...args, `(${found.url})`].join(" ");
  gate.require({ permission: "network", detail, host: new URL(found.url).host, by: "git" });
}

async function remoteOf({ git }: GitCall, given: string | undefined): Promise<string> {
  if (given !== undefined) return given;
  const { branch } = await git.status();
  return (branch === undefined ? undefined : await git.config(`branch.${branch}.remote`)) ?? "origin";
}

export async function remoteCommand(call: GitCall): Promise<CommandOutput> {
  const { git } = call;
  const [action = "", name = "", url = ""] = call.args.filter((arg) => arg !== "-v" && arg !== "--verbose");
  const remotes = await git.remotes();
  if (action === "") {
    const isVerbose = call.args.length > 0;
    return {
      stdout: remotes
        .map((each) =>
          isVerbose ? `${each.name}\t${each.url} (fetch)\n${each.name}\t${each.url} (push)\n` : `${each.name}\n`,
        )
        .join(""),
    };
  }
  const known = remotes.find((each) => each.name === name);
  if (action === "add") {
    if (known) throw new GitFailure(`error: remote ${name} already exists.`, 3);
    await git.addRemote(name, url);
    return {};
  }
  if (!["remove", "rm", "get-url", "set-url"].includes(action))
    notHere(`remote ${action}`, "there are add, remove, get-url and set-url");
  if (!known) throw new GitFailure(`error: No such remote '${name}'`, 2);
  if (action === "get-url") return { stdout: `${known.url}\n` };
  if (action === "set-url") await git.addRemote(name, url);
  else await git.removeRemote(name);
  return {};
}

export async function fetchCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, {
    short: "apqtv",
    long: { all: "a", prune: "p", quiet: "q", tags: "t", "depth=": "d", unshallow: "u", verbose: "v" },
  });
  const remote = await remoteOf(call, options.operands[0]);
  await requireNetwork(call, "fetch", remote);
  const before = new Map((await call.git.refs()).map(({ name, oid }) => [name, oid]));
  const [, branch] = options.operands;
  await call.git.fetch({ remote, ...(branch === undefined ? {} : { branch }) });
  const moved = (await call.git.refs()).filter(({ name, oid }) => before.get(name) !== oid);
  const lines = moved.map(({ name, oid }) => {
    const old = before.get(name);
    const short = name.replace(/^refs\/(remotes\/)?/, "");
    return old === undefined ? ` * [new branch]      ${short}\n` : `   ${shortId(old)}..${shortId(oid)}  ${short}\n`;
  });
  return { stderr: lines.join("") };
}

export async function pullCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, {
    short: "rqv",
    long: { rebase: "r", "no-rebase": "-", "ff-only": "-", quiet: "q", ff: "-", "no-edit": "-" },
  });
  if (options.has("r")) notHere("pull --rebase", "pull without it, which merges");
  const remote = await remoteOf(call, options.operands[0]);
  if (options.operands.length === 0 && (await call.git.remotes()).length === 0)
    throw new GitFailure(
      "There is no tracking information for the current branch.\nName a remote: git remote add NAME URL, then git pull NAME BRANCH.",
      1,
    );
  await requireNetwork(call, "pull", remote);
  const { commit: before = "" } = await call.git.status();
  const [, branch] = options.operands;
  const merged = await call.git.pull({ remote, ...(branch === undefined ? {} : { branch }) });
  return joinedText(call, before, merged);
}

export async function pushCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, {
    short: "ufqv",
    long: {
      "set-upstream": "u",
      force: "f",
      "force-with-lease?": "f",
      quiet: "q",
      tags: "t",
      delete: "d",
      all: "a",
      "no-verify": "-",
    },
  });
  if (options.has("t", "d", "a")) notHere("push --tags, --all and --delete", "push one branch at a time");
  const [given, spec = ""] = options.operands;
  const remote = await remoteOf(call, given);
  const [, plus, local = "", to] = /^(\+?)([^:]*)(?::(.+))?$/.exec(spec) ?? [];
  const { branch: current } = await call.git.status();
  const branch = local === "" || local === "HEAD" ? current : shortRef(local);
  if (branch === undefined) fatal("You are not currently on a branch.");
  await requireNetwork(call, "push", remote);
  const target = to === undefined ? {} : { to: shortRef(to) };
  try {
    const pushed = await call.git.push({ remote, branch, ...target, force: options.has("f") || plus === "+" });
    const tracked = options.has("u") ? await follow(call, branch, remote, pushed.ref) : "";
    return { stdout: tracked, stderr: pushText(branch, pushed) };
  } catch (error) {
    if (!hasCode(error, "git-push-rejected")) throw error;
    throw new GitFailure(
      ` ! [rejected]        ${branch} -> ${to ?? branch} (fetch first)\nerror: failed to push some refs\nhint: Updates were rejected because the remote contains work that you do not\nhint: have locally. Use 'git pull' before pushing again.`,
      1,
    );
  }
}

function shortRef(name: string): string {
  return name.replace(/^refs\/heads\//, "");
}

async function follow({ git }: GitCall, branch: string, remote: string, ref: string): Promise<string> {
  await git.setConfig(`branch.${branch}.remote`, remote);
  await git.setConfig(`branch.${branch}.merge`, ref);
  return `branch '${branch}' set up to track '${remote}/${shortRef(ref)}'.\n`;
}

function pushText(
  branch: string,
  pushed: { readonly ref: string; readonly before?: string; readonly after: string },
): string {
  const { ref, before, after } = pushed;
  if (before === after) return "Everything up-to-date\n";
  const what = before === undefined ? " * [new branch]     " : `   ${shortId(before)}..${shortId(after)} `;
  return `${what} ${branch} -> ${shortRef(ref)}\n`;
}

export async function cloneCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, {
    short: "b:qv",
    long: { "branch=": "b", "depth=": "d", "single-branch": "s", "no-single-branch": "S", quiet: "q", recursive: "-" },
  });
  const [url = "", folder] = options.operands;
  if (url === "") throw new GitFailure("fatal: You must specify a repository to clone.", 129);
  if (folder === undefined || call.shell.resolve(folder) !== "/workspace")
    notHere(
      "a second repository in a folder",
      `clone into the workspace itself, when it has none yet: git clone ${url} /workspace`,
    );
  if (!URL.canParse(url)) fatal(`repository '${url}' does not exist`);
  call.gate.require({ permission: "network", detail: `git clone ${url}`, host: new URL(url).host, by: "git" });
  const [branch, depth] = [options.value("b"), options.value("d")];
  await call.git.clone({
    url,
    ...(branch === undefined ? {} : { branch }),
    ...(depth === undefined ? {} : { depth: Number(depth) }),
    singleBranch: !options.has("S"),
  });
  return { stderr: "Cloning into '/workspace'...\n" };
}
