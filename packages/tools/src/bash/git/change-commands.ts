import type { GitCommitData } from "@tenrec/protocol";
import { hasCode } from "@tenrec/protocol";
import type { CommandOutput } from "../shell-command.ts";
import { parseOptions, type ParsedOptions } from "../commands/parse-options.ts";
import { changesBetween, nameStatusText } from "./diff-text.ts";
import {
  commitOf,
  fatal,
  findCommit,
  type GitCall,
  GitFailure,
  isSelected,
  notHere,
  revisionsAndPaths,
  shortId,
  shownPath,
  subjectOf,
  treePath,
} from "./git-call.ts";
import { asItIs, pathQuoter } from "./quote-path.ts";

export async function addCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, {
    short: "AufvnpN",
    long: { all: "A", update: "u", force: "f", verbose: "v", "dry-run": "n", patch: "p", "intent-to-add": "N" },
  });
  if (options.has("p")) notHere("adding parts of a file", "add whole files");
  if (options.has("N")) notHere("add --intent-to-add", "git add the file; git diff --cached shows it then");
  if (options.has("f")) notHere("add --force", "take the path out of .gitignore first");
  if (options.operands.length === 0 && !options.has("A", "u"))
    return { stderr: "Nothing specified, nothing added.\nhint: Maybe you wanted to say 'git add .'?\n" };
  const paths = options.operands.map((path) => treePath(call, path));
  const { entries } = await call.git.status();
  const wanted = entries
    .filter(
      ({ path, unstaged, unmerged }) =>
        (unstaged || unmerged) && isSelected(path, paths) && !(options.has("u") && unstaged === "untracked"),
    )
    .map(({ path }) => path);
  for (const [at, path] of paths.entries()) await requireMatch(call, path, options.operands[at] ?? "", wanted);
  // What is tracked comes first.
  const isNew = ({ unstaged }: (typeof entries)[number]): number => (unstaged === "untracked" ? 1 : 0);
  const lines = entries
    .filter(({ path }) => wanted.includes(path))
    .toSorted((a, b) => isNew(a) - isNew(b))
    .map(({ path, unstaged }) => `${unstaged === "delete" ? "remove" : "add"} '${path.slice(1)}'\n`);
  if (!options.has("n") && wanted.length > 0) await call.git.add(wanted);
  return { stdout: options.has("v", "n") ? lines.join("") : "" };
}

async function requireMatch(call: GitCall, path: string, given: string, wanted: readonly string[]): Promise<void> {
  if (path === "/" || wanted.some((each) => isSelected(each, [path]))) return;
  const known = new Set([...(await call.git.files("index")).keys(), ...(await call.git.files("work")).keys()]);
  if ([...known].some((name) => isSelected(`/${name}`, [path]))) return;
  if (await call.shell.fs.exists(call.shell.resolve(given))) {
    const stat = await call.shell.fs.stat(call.shell.resolve(given));
    if (stat.isDirectory) return;
    throw new GitFailure(
      `The following paths are ignored by one of your .gitignore files:\n${path.slice(1)}\nhint: Use -f if you really want to add them.`,
      1,
    );
  }
  fatal(`pathspec '${given}' did not match any files`);
}

export async function rmCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, {
    short: "rfnq",
    long: { cached: "c", force: "f", quiet: "q", "dry-run": "n", "ignore-unmatch": "i" },
  });
  const unmerged = await call.git.unmerged();
  const known = [...(await call.git.files("index")).keys(), ...unmerged.keys()];
  const tracked = known.sort().map((name) => `/${name}`);
  const chosen: string[] = [];
  for (const given of options.operands) {
    const path = treePath(call, given);
    const found = tracked.filter((each) => isSelected(each, [path]));
    if (found.length === 0 && !options.has("i")) fatal(`pathspec '${given}' did not match any files`);
    if (found.some((each) => each !== path) && !options.has("r") && !/[*?]/.test(given))
      fatal(`not removing '${given}' recursively without -r`);
    chosen.push(...found);
  }
  const { entries } = await call.git.status();
  const changed = entries.filter(
    ({ path, staged, unstaged }) =>
      chosen.includes(path) && (staged || unstaged === "modify") && !(options.has("c") && !staged),
  );
  if (changed.length > 0 && !options.has("f"))
    throw new GitFailure(
      `error: the following file has local modifications:\n    ${changed.map(({ path }) => path.slice(1)).join("\n    ")}\n(use --cached to keep the file, or -f to force removal)`,
      1,
    );
  if (!options.has("n")) await removeFiles(call, chosen, options.has("c"));
  return { stdout: options.has("q") ? "" : chosen.map((path) => `rm '${path.slice(1)}'\n`).join("") };
}

async function removeFiles({ git, shell }: GitCall, paths: readonly string[], isCached: boolean): Promise<void> {
  if (isCached) return git.untrack(paths);
  for (const path of paths) {
    await shell.fs.rm(`/workspace${path}`, { force: true });
    await removeEmptyFolders(shell, path);
  }
  if (paths.length > 0) await git.add(paths);
}

async function removeEmptyFolders({ fs }: GitCall["shell"], path: string): Promise<void> {
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    const folder = `/workspace${path.slice(0, at)}`;
    const names = await fs.readdir(folder).catch(() => ["?"]);
    if (names.length > 0) return;
    await fs.rm(folder, { recursive: true, force: true });
  }
}

export async function mvCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, { short: "fknv", long: { force: "f", verbose: "v", "dry-run": "n" } });
  const names = [...options.operands];
  const target = names.pop();
  if (target === undefined || names.length === 0)
    throw new GitFailure("usage: git mv [<options>] <source>... <destination>", 129);
  const { fs, resolve } = call.shell;
  const to = resolve(target);
  const isFolder = (await fs.stat(to).catch(() => undefined))?.isDirectory ?? false;
  const tracked = [...(await call.git.files("index")).keys()].map((name) => `/${name}`);
  const touched: string[] = [];
  const lines: string[] = [];
  for (const name of names) {
    const path = treePath(call, name);
    const files = tracked.filter((each) => isSelected(each, [path]));
    const there = isFolder ? `${to}/${name.replace(/\/$/, "").split("/").at(-1)}` : to;
    if (files.length === 0)
      fatal(
        `${(await fs.exists(resolve(name))) ? "not under version control" : "bad source"}, source=${path.slice(1)}, destination=${treePath(call, there).slice(1)}`,
      );
    if (!isFolder && !options.has("f") && (await fs.exists(there)))
      fatal(`destination exists, source=${path.slice(1)}, destination=${treePath(call, there).slice(1)}`);
    lines.push(renameText(path.slice(1), treePath(call, there).slice(1), options));
    if (options.has("n")) continue;
    await fs.mv(resolve(name), there);
    touched.push(...files, ...files.map((file) => treePath(call, there) + file.slice(path.length)));
  }
  if (touched.length > 0) await call.git.add(touched);
  return { stdout: lines.join("") };
}

function renameText(from: string, to: string, options: ParsedOptions): string {
  const check = options.has("n") ? `Checking rename of '${from}' to '${to}'\n` : "";
  return options.has("v", "n") ? `${check}Renaming ${from} to ${to}\n` : "";
}

/** Makes files of the work tree what a commit or the index has. */
export async function restoreFiles(
  call: GitCall,
  source: string | undefined,
  paths: readonly string[],
  given: readonly string[],
): Promise<{ readonly count: number; readonly files: readonly string[] }> {
  const { git, shell } = call;
  const wanted = await git.files(source === undefined ? "index" : { commit: (await commitOf(call, source)).oid });
  const present = await git.files("work");
  const tracked = await git.files("index");
  let count = 0;
  const files: string[] = [];
  for (const [at, path] of paths.entries()) {
    const names = [...new Set([...wanted.keys(), ...tracked.keys()])].filter((name) => isSelected(`/${name}`, [path]));
    if (names.length === 0)
      throw new GitFailure(`error: pathspec '${given[at]}' did not match any file(s) known to git`, 1);
    files.push(...names.map((name) => `/${name}`));
    for (const name of names) {
      const file = wanted.get(name);
      const there = present.get(name);
      if (file?.oid === there?.oid && file?.mode === there?.mode) continue;
      count++;
      const target = `/workspace/${name}`;
      if (!file) {
        await shell.fs.rm(target, { force: true });
        continue;
      }
      await shell.fs.mkdir(target.slice(0, target.lastIndexOf("/")), { recursive: true });
      const content = await git.readBlob(file.oid);
      await shell.fs.rm(target, { force: true });
      if (file.mode === 0o120000) await shell.fs.symlink(new TextDecoder().decode(content), target);
      else {
        await shell.fs.writeFile(target, content);
        await shell.fs.chmod(target, file.mode & 0o777);
      }
    }
  }
  return { count, files };
}

export async function restoreCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, {
    short: "s:SWqp",
    long: { "source=": "s", staged: "S", worktree: "W", quiet: "q" },
  });
  if (options.operands.length === 0) fatal("you must specify path(s) to restore");
  const paths = options.operands.map((path) => treePath(call, path));
  const source = options.value("s");
  if (options.has("S")) {
    if (source !== undefined && source !== "HEAD" && !options.has("W"))
      notHere("restore --staged with another source", "restore the files, then git add them");
    await unstage(call, paths, options.operands);
    if (!options.has("W")) return {};
  }
  const { files } = await restoreFiles(
    call,
    source ?? (options.has("S") ? "HEAD" : undefined),
    paths,
    options.operands,
  );
  if (options.has("S") && files.length > 0) await call.git.add(files);
  return {};
}

async function unstage({ git }: GitCall, paths: readonly string[], given: readonly string[]): Promise<void> {
  try {
    await git.unstage(paths);
  } catch (error) {
    if (!hasCode(error, "git-not-found")) throw error;
    throw new GitFailure(`error: pathspec '${given[0]}' did not match any file(s) known to git`, 1);
  }
}

export async function resetCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, {
    short: "q",
    long: { soft: "soft", mixed: "mixed", hard: "hard", keep: "keep", merge: "merge", quiet: "q" },
  });
  if (options.has("keep", "merge")) notHere("reset --keep and --merge", "use --soft, --mixed or --hard");
  const { git } = call;
  const [first = "HEAD", ...rest] = options.operands;
  const target = first === "--" ? undefined : await findCommit(call, first);
  // What is neither a commit nor a file is told first.
  if (!target) await revisionsAndPaths(call, options.operands);
  const named = (target ? rest : options.operands).filter((path) => path !== "--");
  if (named.length > 0) return resetPaths(call, target, named, options);
  const commit = target ?? (await commitOf(call, first));
  if (options.has("hard")) {
    await git.reset(commit.oid, { force: true });
    return { stdout: options.has("q") ? "" : `HEAD is now at ${shortId(commit.oid)} ${subjectOf(commit.message)}\n` };
  }
  if (options.has("soft") && (await git.status()).merging !== undefined)
    fatal("Cannot do a soft reset in the middle of a merge.");
  await git.moveHead(commit.oid);
  if (options.has("soft")) return {};
  await git.unstage(["/"]);
  return { stdout: options.has("q") ? "" : await unstagedText(call) };
}

async function resetPaths(
  call: GitCall,
  target: GitCommitData | undefined,
  named: readonly string[],
  options: ParsedOptions,
): Promise<CommandOutput> {
  const mode = ["soft", "hard"].find((name) => options.has(name));
  if (mode !== undefined) fatal(`Cannot do ${mode} reset with paths.`);
  const { commit } = await call.git.status();
  if (target && target.oid !== commit) notHere("reset of paths to another commit", "use git restore --source");
  await unstage(
    call,
    named.map((path) => treePath(call, path)),
    named,
  );
  return { stdout: options.has("q") ? "" : await unstagedText(call) };
}

async function unstagedText(call: GitCall): Promise<string> {
  const tracked = await call.git.files("index");
  const changes = (await changesBetween(call, "index", "work")).filter(({ diff }) => tracked.has(diff.path.slice(1)));
  return changes.length > 0 ? `Unstaged changes after reset:\n${nameStatusText(changes, asItIs)}` : "";
}

export async function lsFilesCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, {
    short: "comdsuz",
    long: {
      cached: "c",
      others: "o",
      modified: "m",
      deleted: "d",
      stage: "s",
      unmerged: "u",
      "exclude-standard": "x",
      "error-unmatch": "e",
      "full-name": "-",
    },
  });
  const paths = options.operands.map((path) => treePath(call, path));
  const scope = paths.length > 0 ? paths : [call.folder === "" ? "/" : call.folder];
  const index = await call.git.files("index");
  const { entries } = await call.git.status();
  const kinds = { o: "untracked", m: "modify", d: "delete" } as const;
  const asked = (["o", "m", "d"] as const).filter((kind) => options.has(kind));
  const unmerged = await call.git.unmerged();
  const listed = options.has("u") ? [...unmerged.keys()] : [...index.keys(), ...unmerged.keys()];
  const names = asked.length > 0 && !options.has("c", "u") ? [] : listed.map((name) => `/${name}`);
  for (const kind of asked)
    names.push(
      ...entries
        .filter(
          ({ unstaged, unmerged: has }) =>
            unstaged === kinds[kind] || (kind === "m" && (has === true || unstaged === "delete")),
        )
        .map(({ path }) => path),
    );
  const shown = [...new Set(names)].filter((path) => isSelected(path, scope)).sort((a, b) => (a < b ? -1 : 1));
  if (options.has("e") && shown.length === 0)
    throw new GitFailure(`error: pathspec '${options.operands[0]}' did not match any file(s) known to git`, 1);
  const end = options.has("z") ? "\0" : "\n";
  const quote = options.has("z") ? asItIs : await pathQuoter(call);
  const lines = (path: string): string[] => {
    const name = path.slice(1);
    const stages = [index.get(name), ...(unmerged.get(name) ?? [])];
    const there = stages.flatMap((file, stage) => (file ? [`${file.mode.toString(8)} ${file.oid} ${stage}\t`] : []));
    const shownName = quote(shownPath(call, path));
    return (there.length > 0 ? there : [""]).map((head) => (options.has("s", "u") ? head : "") + shownName + end);
  };
  return { stdout: shown.flatMap(lines).join("") };
}
