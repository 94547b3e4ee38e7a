import { errorJson, WORKSPACE_ROOT } from "@tenrec/protocol";
import type { CommandOutput } from "../shell-command.ts";
import type { FilePatch } from "../../patch/file-patch.ts";
import { parsePatch } from "../../patch/parse-patch.ts";
import { type Edges, gitEdges, noEdges, patchStrictly, reversedPatch } from "../../patch/patch-strictly.ts";
import { parseOptions, type ParsedOptions } from "../commands/parse-options.ts";
import { readInput } from "../commands/read-inputs.ts";
import { applyStatText } from "./apply-stat.ts";
import { type GitCall, GitFailure, isSelected, notHere } from "./git-call.ts";

const LONG = {
  check: "k",
  stat: "s",
  numstat: "n",
  summary: "y",
  reverse: "R",
  verbose: "v",
  quiet: "q",
  index: "i",
  cached: "X",
  "3way": "3",
  reject: "X",
  "directory=": "X",
  "include=": "X",
  "exclude=": "X",
  "unidiff-zero": "z",
  "whitespace=": "w",
  "ignore-whitespace": "X",
  "ignore-space-change": "X",
  recount: "X",
  apply: "a",
  "allow-empty": "-",
  "no-add": "X",
};

/** `git apply`: all files of a patch, or none; to the byte, at whatever line it fits. */
export async function applyCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, { short: "Rp:vq3C:", long: LONG });
  if (options.has("3")) notHere("apply --3way", "use git apply, or patch -p1, which takes what is similar");
  if (options.has("X", "C")) notHere("apply with this option", "use git apply, then git add");
  const names = options.operands.length > 0 ? options.operands : ["-"];
  const files: FilePatch[] = [];
  for (const name of names) files.push(...(await filesOf(call, name, Number(options.value("p") ?? 1))));
  const stripped = files.map((file) => (options.has("R") ? reversedPatch(file) : file));
  const scope = call.folder === "" ? "/" : call.folder;
  const wanted = stripped.filter(({ path }) => isSelected(`/${path}`, [scope]));
  const isAsked = options.has("s", "n", "y");
  if (!isAsked || options.has("a", "k")) await applyAll(call, wanted, options);
  return { stdout: isAsked ? applyStatText(wanted, options) : "" };
}

async function filesOf(call: GitCall, name: string, strip: number): Promise<readonly FilePatch[]> {
  const source = await readInput(name, call.shell);
  if (source.problem !== undefined) throw new GitFailure(`error: can't open patch '${name}': ${source.problem}`, 128);
  const text = new TextDecoder().decode(source.bytes);
  if (!/^(diff --git|--- |\*\*\* )/m.test(text))
    throw new GitFailure('error: No valid patches in input (allow with "--allow-empty")', 128);
  try {
    const { files } = parsePatch(text);
    if (/^GIT binary patch$/m.test(text)) notHere("apply of a binary patch", "write the file anew");
    // The parser takes `a/` and `b/` off, and nothing else.
    const taken = /^--- (a\/|\/dev\/null)/m.test(text) || strip < 2 ? 1 : 0;
    return files.map((file) => withoutNames(file, strip - taken));
  } catch (error) {
    if (error instanceof GitFailure) throw error;
    throw new GitFailure(`error: ${errorJson(error).message}`, 128);
  }
}

function withoutNames(file: FilePatch, count: number): FilePatch {
  const names = (path: string): string => path.split("/").slice(Math.max(0, count)).join("/");
  return { ...file, path: names(file.path), ...(file.to === undefined ? {} : { to: names(file.to) }) };
}

/** What is to be written, of all files before the first one is. */
interface Written {
  readonly path: string;
  /** Undefined for a file that goes. */
  readonly text: string | undefined;
  readonly mode: number | undefined;
  readonly isLink: boolean;
}

async function applyAll(call: GitCall, files: readonly FilePatch[], options: ParsedOptions): Promise<void> {
  const edges = options.has("z") ? noEdges : gitEdges;
  const problems: string[] = [];
  const written: Written[] = [];
  const texts = new Map<string, string | undefined>();
  for (const file of files) {
    const found = await planFile(call, file, texts, edges);
    if (typeof found === "string") problems.push(found);
    else written.push(...found);
  }
  if (problems.length > 0) throw new GitFailure(problems.join("\n"), 1);
  if (options.has("k")) return;
  for (const each of written) await write(call, each);
  const touched = written.map(({ path }) => `/${path}`);
  if (options.has("i") && touched.length > 0) await call.git.add(touched);
}

/** What becomes of a file, or what is wrong with that. */
async function planFile(
  call: GitCall,
  file: FilePatch,
  texts: Map<string, string | undefined>,
  edges: Edges,
): Promise<Written[] | string> {
  const { path, to = path } = file;
  const isNew = file.kind === "create" || file.kind === "set";
  const before = isNew ? "" : await textAt(call, path, texts);
  if (before === undefined) return `error: ${path}: No such file or directory`;
  if ((isNew || to !== path) && (await textAt(call, to, texts)) !== undefined)
    return `error: ${to}: already exists in working directory`;
  const patched = patchStrictly(before, file, edges);
  const problem = problemOf(file, patched);
  if (!("text" in patched) || problem !== undefined) return `error: ${problem}\nerror: ${path}: patch does not apply`;
  const written = writtenFiles(file, patched.text, file.mode ?? (isNew ? undefined : await modeAt(call, path)));
  for (const each of written) texts.set(each.path, each.text);
  return written;
}

function writtenFiles(
  { kind, path, to = path, isLink = false }: FilePatch,
  text: string,
  mode: number | undefined,
): Written[] {
  const result: Written = { path: to, text: kind === "delete" ? undefined : text, mode, isLink };
  const isMoved = to !== path && kind !== "copy";
  return isMoved ? [{ path, text: undefined, mode: undefined, isLink: false }, result] : [result];
}

function problemOf({ kind, path }: FilePatch, patched: ReturnType<typeof patchStrictly>): string | undefined {
  if ("misfit" in patched) return `patch failed: ${path}:${patched.misfit.oldStart ?? 1}`;
  return kind === "delete" && patched.text !== "" ? "removal patch leaves file contents" : undefined;
}

async function textAt(
  { shell }: GitCall,
  path: string,
  texts: Map<string, string | undefined>,
): Promise<string | undefined> {
  if (texts.has(path)) return texts.get(path);
  const full = shell.fs.resolvePath(WORKSPACE_ROOT, path);
  if (!full.startsWith(`${WORKSPACE_ROOT}/`)) throw new GitFailure(`error: invalid path '${path}'`, 128);
  const stat = await shell.fs.lstat(full).catch(() => undefined);
  if (!stat) return undefined;
  if (stat.isDirectory) throw new GitFailure(`error: ${path}: is a directory`, 1);
  if (stat.isSymbolicLink) return shell.fs.readlink(full);
  const bytes = await shell.fs.readFileBuffer(full);
  try {
    // A byte that is no UTF-8 would not come back as it was.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new GitFailure(`error: ${path}: is no text in UTF-8, which is all that can be patched here`, 1);
  }
}

async function modeAt({ shell }: GitCall, path: string): Promise<number | undefined> {
  const stat = await shell.fs.lstat(`${WORKSPACE_ROOT}/${path}`).catch(() => undefined);
  return stat?.isFile ? stat.mode & 0o777 : undefined;
}

async function write({ shell: { fs } }: GitCall, { path, text, mode, isLink }: Written): Promise<void> {
  const target = `${WORKSPACE_ROOT}/${path}`;
  await fs.rm(target, { force: true });
  if (text === undefined) {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = `${WORKSPACE_ROOT}/${path.slice(0, at)}`;
      if ((await fs.readdir(folder)).length > 0) return;
      await fs.rm(folder, { recursive: true, force: true });
    }
    return;
  }
  await fs.mkdir(target.slice(0, target.lastIndexOf("/")), { recursive: true });
  if (isLink) await fs.symlink(text, target);
  else await fs.writeFile(target, text);
  if (!isLink && mode !== undefined) await fs.chmod(target, mode);
}
