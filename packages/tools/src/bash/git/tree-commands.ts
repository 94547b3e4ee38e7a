import type { CommandOutput } from "../shell-command.ts";
import { parseOptions, type ParsedOptions } from "../commands/parse-options.ts";
import { fatal, type GitCall, GitFailure, isSelected, notHere, shownPath, treePath } from "./git-call.ts";
import { commitText } from "./log-text.ts";
import { asItIs, pathQuoter } from "./quote-path.ts";

interface TreeEntry {
  readonly mode: string;
  readonly type: "blob" | "tree" | "commit";
  readonly oid: string;
  /** Without a leading `/`. */
  readonly path: string;
}

/** A commit's files and folders, in git's order: a folder's name counts as if it ended with a slash. */
async function entriesOf({ git }: GitCall, commit: string): Promise<TreeEntry[]> {
  const [files, folders] = [await git.files({ commit }), await git.folders(commit)];
  const entries: TreeEntry[] = Array.from(files, ([path, { mode, oid }]) => {
    const type = mode === 0o160000 ? "commit" : "blob";
    return { mode: mode.toString(8), type, oid, path };
  });
  for (const [path, oid] of folders) if (path !== "") entries.push({ mode: "040000", type: "tree", oid, path });
  const key = ({ type, path }: TreeEntry): string => (type === "tree" ? `${path}/` : path);
  return entries.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** A commit, and the folder of it that is meant: `HEAD`, `HEAD:src`, `HEAD^{tree}`. */
async function treeOf(call: GitCall, given: string): Promise<{ commit: string; folder: string }> {
  const [, name = given, path = ""] = /^([^:]*):(.*)$/s.exec(given) ?? [];
  const found = await call.git.commitAt(name.replace(/\^\{(tree|commit)\}$/, "") || "HEAD");
  if (!found) fatal(`Not a valid object name ${given}`);
  return { commit: found.oid, folder: path.replace(/\/$/, "") };
}

const LONG = {
  "name-only": "N",
  "name-status": "N",
  long: "l",
  "full-name": "F",
  "full-tree": "A",
  "object-only": "O",
  "abbrev?": "b",
};

export async function lsTreeCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, { short: "rtdlz", long: LONG });
  const [given, ...paths] = options.operands;
  if (given === undefined) throw new GitFailure("usage: git ls-tree [<options>] <tree-ish> [<path>...]", 129);
  const { commit, folder } = await treeOf(call, given);
  const here = options.has("A") || folder !== "" ? "" : call.folder.replace(/^\//, "");
  const root = folder || here;
  const all = await entriesOf(call, commit);
  if (folder !== "" && !all.some(({ type, path }) => type === "tree" && path === folder)) fatal("not a tree object");
  const wanted = paths.map(
    (path) => (folder ? `/${folder}/${path}` : treePath(call, path)) + (path.endsWith("/") ? "/" : ""),
  );
  // Paths may lead out of the folder that git is called in.
  const isInside = ({ path }: TreeEntry): boolean =>
    root === "" || (folder === "" && wanted.length > 0) || path.startsWith(`${root}/`);
  const chosen = all.filter(isInside).filter((entry) => isListed(entry, root, wanted, options));
  const quote = options.has("z") ? asItIs : await pathQuoter(call);
  const lines: string[] = [];
  for (const entry of chosen) {
    const name = folder ? entry.path.slice(folder.length + 1) : entry.path;
    const shown = folder || options.has("F", "A") ? name : shownPath(call, `/${name}`);
    lines.push(await lineOf(call, entry, quote(shown), options));
  }
  return { stdout: lines.map((line) => line + (options.has("z") ? "\0" : "\n")).join("") };
}

function isListed({ type, path }: TreeEntry, root: string, wanted: readonly string[], options: ParsedOptions): boolean {
  if (type === "tree" && options.has("r") && !options.has("t", "d")) return false;
  if (type !== "tree" && options.has("d")) return false;
  const full = `/${path}`;
  const isAbove = (each: string): boolean => type === "tree" && options.has("t") && each.startsWith(`${full}/`);
  if (wanted.some(isAbove)) return true;
  const depth = (name: string): number => name.split("/").filter(Boolean).length;
  if (wanted.length === 0) return options.has("r") || depth(path) === depth(root) + 1;
  // A path names what it is, with a slash at its end what is in it; `-r` goes down all the way.
  return wanted.some((each) => {
    const name = each.replace(/\/$/, "");
    if (options.has("r")) return isSelected(full, [name || "/"]);
    return each.endsWith("/") || name === ""
      ? full.startsWith(`${name}/`) && depth(full) === depth(name) + 1
      : full === name;
  });
}

async function lineOf(call: GitCall, entry: TreeEntry, name: string, options: ParsedOptions): Promise<string> {
  const { mode, type } = entry;
  const length = options.value("b");
  const oid = length === undefined ? entry.oid : entry.oid.slice(0, Number(length || 7));
  if (options.has("N")) return name;
  if (options.has("O")) return oid;
  if (!options.has("l")) return `${mode} ${type} ${oid}\t${name}`;
  const size = type === "blob" ? String((await call.git.readBlob(entry.oid)).length) : "-";
  return `${mode} ${type} ${oid} ${size.padStart(7)}\t${name}`;
}

/** An object by its name: what it is, and how to print it. */
interface Found {
  readonly type: "commit" | "tree" | "blob";
  readonly bytes: () => Promise<string | Uint8Array>;
}

async function findObject(call: GitCall, name: string): Promise<Found | undefined> {
  const { git } = call;
  const isTree = name.endsWith("^{tree}");
  const commit = isTree || name.includes(":") ? undefined : await git.commitAt(name.replace(/\^\{commit\}$/, ""));
  if (commit) {
    const text = commitText(commit, { name: "raw" }).replace(/^commit .*\n/, "");
    return { type: "commit", bytes: async () => text.replace(/^ {4}/gm, "") };
  }
  if (/^[0-9a-f]{40}$/.test(name)) {
    const bytes = await git.readBlob(name).catch(() => undefined);
    return bytes && { type: "blob", bytes: async () => bytes };
  }
  if (!isTree && !name.includes(":")) return undefined;
  const where = await treeOf(call, name).catch(() => undefined);
  const file = where && (await git.files({ commit: where.commit })).get(where.folder);
  if (file) return { type: "blob", bytes: () => git.readBlob(file.oid) };
  if (!where || !(await git.folders(where.commit)).has(where.folder)) return undefined;
  const list = async (): Promise<string> =>
    String((await lsTreeCommand({ ...call, folder: "/", args: [name] })).stdout);
  return { type: "tree", bytes: list };
}

export async function catFileCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, {
    short: "ptse",
    long: { "batch?": "B", "batch-check?": "B", textconv: "X", filters: "X" },
  });
  if (options.has("B", "X")) notHere("cat-file --batch", "call git cat-file -p for each object");
  const [name] = options.operands.slice(-1);
  if (name === undefined) throw new GitFailure("usage: git cat-file (-t | -s | -e | -p) <object>", 129);
  const found = await findObject(call, name);
  if (!found) fatal(`Not a valid object name ${name}`);
  if (options.has("e")) return {};
  if (options.has("t")) return { stdout: `${found.type}\n` };
  const bytes = await found.bytes();
  if (!options.has("s")) return { stdout: bytes };
  if (found.type === "tree") notHere("cat-file -s of a tree", "git ls-tree -r -l has the sizes of its files");
  return { stdout: `${typeof bytes === "string" ? new TextEncoder().encode(bytes).length : bytes.length}\n` };
}
