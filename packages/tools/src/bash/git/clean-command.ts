import type { CommandOutput } from "../shell-command.ts";
import { parseOptions } from "../commands/parse-options.ts";
import { fatal, type GitCall, isSelected, notHere, shownPath, treePath } from "./git-call.ts";
import { pathQuoter } from "./quote-path.ts";

/** `git clean`: removes files that are not tracked; those that are ignored stay. */
export async function cleanCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, {
    short: "dfnqxXie:",
    long: { force: "f", "dry-run": "n", quiet: "q", interactive: "i", "exclude=": "e" },
  });
  if (options.has("x", "X")) notHere("clean of ignored files", "name them to rm -rf");
  if (options.has("i")) notHere("clean -i", "use git clean -n to see, and git clean -f to remove");
  if (options.has("e")) notHere("clean --exclude", "name what is to go: git clean -f -- PATH");
  if (!options.has("n", "f"))
    fatal("clean.requireForce defaults to true and neither -i, -n, nor -f given; refusing to clean");
  const named = options.operands.map((path) => treePath(call, path));
  const going = await chosenPaths(call, named, options.has("d"));
  const isDry = options.has("n");
  for (const path of isDry ? [] : going)
    await call.shell.fs.rm(`/workspace${path.replace(/\/$/, "")}`, { force: true, recursive: path.endsWith("/") });
  if (options.has("q") && !isDry) return {};
  const quote = await pathQuoter(call);
  const line = (path: string): string =>
    `${isDry ? "Would remove" : "Removing"} ${quote(shownPath(call, path) + (path.endsWith("/") ? "/" : ""))}\n`;
  return { stdout: going.map(line).join("") };
}

/** What is to go: files, and folders, with a slash behind them, in which nothing stays. */
async function chosenPaths(call: GitCall, named: readonly string[], withFolders: boolean): Promise<string[]> {
  const scope = named.some((path) => !path.startsWith("!")) ? named : [call.folder, ...named];
  const { entries } = await call.git.status();
  const untracked = entries.filter(({ unstaged }) => unstaged === "untracked").map(({ path }) => path);
  const chosen = new Set(untracked.filter((path) => isSelected(path, scope)));
  const folders = await trackedFolders(call);
  const going = new Set<string>();
  for (const path of chosen) {
    const top = topFolder(path, folders);
    if (top === undefined) going.add(path);
    else if (withFolders || isNamed(path, named)) going.add((await isAllIn(call, top, chosen)) ? `${top}/` : path);
  }
  return [...going];
}

function isNamed(path: string, named: readonly string[]): boolean {
  return named.some((each) => each !== "/" && !each.startsWith("!") && isSelected(path, [each]));
}

async function trackedFolders({ git }: GitCall): Promise<ReadonlySet<string>> {
  const folders = new Set<string>();
  for (const name of (await git.files("index")).keys())
    for (let at = name.lastIndexOf("/"); at > 0; at = name.lastIndexOf("/", at - 1))
      folders.add(`/${name.slice(0, at)}`);
  return folders;
}

/** The highest folder above a path in which nothing is tracked. */
function topFolder(path: string, folders: ReadonlySet<string>): string | undefined {
  for (let at = path.indexOf("/", 1); at !== -1; at = path.indexOf("/", at + 1))
    if (!folders.has(path.slice(0, at))) return path.slice(0, at);
  return undefined;
}

async function isAllIn(call: GitCall, folder: string, chosen: ReadonlySet<string>): Promise<boolean> {
  const { fs, signal } = call.shell;
  const open = [folder];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    signal.throwIfAborted();
    if (!(await fs.exists(`/workspace${at}`))) continue;
    for (const name of await fs.readdir(`/workspace${at}`)) {
      const path = `${at}/${name}`;
      if ((await fs.lstat(`/workspace${path}`)).isDirectory) open.push(path);
      else if (!chosen.has(path)) return false;
    }
  }
  return true;
}
