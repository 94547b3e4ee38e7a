import { WORKSPACE_ROOT } from "@tenrec/protocol";
import type { CommandOutput } from "../shell-command.ts";
import { commitOf, fatal, findCommit, type GitCall, GitFailure, notHere, treePath, upstreamOf } from "./git-call.ts";

const KNOWN_OPTIONS =
  /^(--short(=\d+)?|--abbrev-ref|--symbolic-full-name|-q|--quiet|--verify|--revs-only|--no-flags|--)$/;

const REFS: Readonly<Record<string, string>> = {
  "--all": "refs/",
  "--branches": "refs/heads/",
  "--tags": "refs/tags/",
  "--remotes": "refs/remotes/",
};

export async function revParseCommand(call: GitCall): Promise<CommandOutput> {
  const facts = new Map(Object.entries(factsOf(call)));
  const wanted = call.args.filter((arg) => arg.startsWith("-"));
  const isKnown = (arg: string): boolean =>
    facts.has(arg) || Object.hasOwn(REFS, arg) || KNOWN_OPTIONS.test(arg) || arg === "--git-path";
  const unknown = wanted.find((arg) => !isKnown(arg));
  if (unknown !== undefined) notHere(`rev-parse ${unknown}`, "name a commit");
  const isQuiet = wanted.includes("-q") || wanted.includes("--quiet");
  let stdout = "";
  const args = [...call.args];
  for (let arg = args.shift(); arg !== undefined; arg = args.shift()) {
    const fact =
      facts.get(arg) ?? (arg === "--git-path" ? `${facts.get("--git-dir")}/${args.shift() ?? ""}` : undefined);
    if (fact !== undefined) stdout += `${fact}\n`;
    else if (Object.hasOwn(REFS, arg)) stdout += await refIds(call, REFS[arg] ?? "");
    if (fact !== undefined || arg.startsWith("-")) continue;
    const found = await idsOf(call, arg, wanted);
    if (found !== undefined) stdout += found.map((id) => `${id}\n`).join("");
    else if (isQuiet) return { exitCode: 1 };
    else return missing(call, arg, stdout, wanted);
  }
  return { stdout };
}

async function missing(call: GitCall, name: string, stdout: string, wanted: readonly string[]): Promise<CommandOutput> {
  if (wanted.includes("--verify")) fatal("Needed a single revision");
  if (/@\{(u|upstream)\}$/.test(name)) throw new GitFailure("fatal: no upstream configured for branch", 128);
  if (!name.includes(":")) await commitOf(call, name).catch(onlyUnsupported);
  const text = `fatal: ambiguous argument '${name}': unknown revision or path not in the working tree.\n`;
  return { stdout: `${stdout}${name}\n`, stderr: text, exitCode: 128 };
}

function onlyUnsupported(error: unknown): void {
  if (!(error instanceof GitFailure) || error.exitCode === 129) throw error;
}

async function refIds({ git }: GitCall, prefix: string): Promise<string> {
  const refs = (await git.refs()).filter(({ name }) => name.startsWith(prefix));
  return refs.map(({ oid }) => `${oid}\n`).join("");
}

/** What a name stands for: a commit, what a commit has at a path, or the ends of a range. */
async function idsOf(call: GitCall, given: string, options: readonly string[]): Promise<string[] | undefined> {
  const [, left, dots, right] = /^([^:]*?)(\.{2})(?!\.)([^:]*)$/.exec(given) ?? [];
  if (dots !== undefined) {
    const [from, to] = [await findCommit(call, left || "HEAD"), await findCommit(call, right || "HEAD")];
    return from && to && [to.oid, `^${from.oid}`];
  }
  const sign = given.startsWith("^") ? "^" : "";
  const name = given.slice(sign.length);
  const id =
    name.includes(":") || name.endsWith("^{tree}") ? await objectAt(call, name) : await nameOf(call, name, options);
  if (id === undefined) return undefined;
  return id === "" ? [] : [sign + shortened(id, options)];
}

function shortened(id: string, options: readonly string[]): string {
  const short = options.find((option) => option.startsWith("--short"));
  if (short === undefined || !/^[0-9a-f]{40}$/.test(id)) return id;
  return id.slice(0, Math.max(4, Number(short.slice("--short=".length) || 7)));
}

async function nameOf(call: GitCall, name: string, options: readonly string[]): Promise<string | undefined> {
  const commit = await findCommit(call, name);
  if (!commit) return undefined;
  const isFull = options.includes("--symbolic-full-name");
  if (!isFull && !options.includes("--abbrev-ref")) return commit.oid;
  const ref = await refOf(call, name);
  return isFull ? ref : ref.replace(/^refs\/(heads|tags|remotes)\//, "");
}

async function refOf(call: GitCall, name: string): Promise<string> {
  if (name === "HEAD" || name === "@") {
    const { branch } = await call.git.status();
    return branch === undefined ? "HEAD" : `refs/heads/${branch}`;
  }
  const [, branch] = /^(.*)@\{(?:u|upstream)\}$/.exec(name) ?? [];
  if (branch !== undefined) return (await upstreamOf(call, branch)) ?? "";
  const refs = await call.git.refs();
  const kinds = ["refs/heads/", "refs/tags/", "refs/remotes/", ""];
  const found = kinds.map((kind) => kind + name).find((full) => refs.some((ref) => ref.name === full));
  return found ?? "";
}

async function objectAt(call: GitCall, given: string): Promise<string | undefined> {
  const [, name = given.replace(/\^\{tree\}$/, ""), path = ""] = /^([^:]*):(.*)$/s.exec(given) ?? [];
  const where = /^\.\.?\//.test(path) ? treePath(call, path).slice(1) : path.replace(/\/$/, "");
  if (name === "") return (await call.git.files("index")).get(where)?.oid;
  const commit = await findCommit(call, name);
  if (!commit) return undefined;
  const file = (await call.git.files({ commit: commit.oid })).get(where);
  return file?.oid ?? (await call.git.folders(commit.oid)).get(where);
}

/** What can be asked about the repository. */
function factsOf({ folder }: GitCall): Readonly<Record<string, string>> {
  const names = folder.split("/").filter(Boolean);
  return {
    "--show-toplevel": WORKSPACE_ROOT,
    "--git-dir": names.length === 0 ? ".git" : `${WORKSPACE_ROOT}/.git`,
    "--absolute-git-dir": `${WORKSPACE_ROOT}/.git`,
    "--git-common-dir": names.length === 0 ? ".git" : `${names.map(() => "../").join("")}.git`,
    "--is-inside-work-tree": "true",
    "--is-inside-git-dir": "false",
    "--is-bare-repository": "false",
    "--show-prefix": names.map((name) => `${name}/`).join(""),
    "--show-cdup": names.map(() => "../").join(""),
  };
}
