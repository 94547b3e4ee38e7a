import { problemOf } from "../problem-of.ts";
import type { CommandContext, ShellCommand } from "../shell-command.ts";
import { defineCommand } from "./define-command.ts";
import { type ParsedOptions, UsageError } from "./parse-options.ts";
import { relativePath } from "./path-commands.ts";

const LONG = {
  symbolic: "s",
  force: "f",
  "no-dereference": "n",
  "no-target-directory": "T",
  "target-directory=": "t",
  relative: "r",
  verbose: "v",
};

/** In place of just-bash's, which shows errors of its file system as they are, and knows no `-r`, `-t` and `-T`. */
export const ln: ShellCommand = defineCommand("ln", { short: "sfnrvTt:", long: LONG }, async (options, context) => {
  const names = [...options.operands];
  if (names.length === 0) throw new UsageError("missing file operand");
  const place = await placeOf(names, options, context);
  let stdout = "";
  let stderr = "";
  for (const source of names) {
    const name = place.isFolder ? `${place.path.replace(/\/$/, "")}/${lastName(source)}` : place.path;
    const problem = await link(source, name, options, context);
    if (problem !== undefined) stderr += `ln: ${problem}\n`;
    else if (options.has("v")) stdout += `'${name}' ${options.has("s") ? "->" : "=>"} '${source}'\n`;
  }
  return { stdout, stderr, exitCode: stderr ? 1 : 0 };
});

interface Place {
  readonly path: string;
  readonly isFolder: boolean;
}

/** Where the links go; takes it from the end of the names where it is among them. */
async function placeOf(names: string[], options: ParsedOptions, { fs, resolve }: CommandContext): Promise<Place> {
  const folder = options.value("t");
  if (folder !== undefined) return { path: folder, isFolder: true };
  if (names.length === 1) return { path: ".", isFolder: true };
  const path = names.pop() ?? "";
  if (options.has("T")) return { path, isFolder: false };
  const found = await fs.stat(resolve(path)).catch(() => undefined);
  const isLink = options.has("n") && (await fs.lstat(resolve(path)).catch(() => undefined))?.isSymbolicLink;
  const isFolder = (found?.isDirectory ?? false) && !isLink;
  if (!isFolder && names.length > 1) throw new UsageError(`target '${path}' is not a directory`);
  return { path, isFolder };
}

async function link(
  source: string,
  name: string,
  options: ParsedOptions,
  { fs, resolve }: CommandContext,
): Promise<string | undefined> {
  const path = resolve(name);
  const isSymbolic = options.has("s");
  const what = isSymbolic ? `failed to create symbolic link '${name}'` : `failed to create hard link '${name}'`;
  try {
    if (!isSymbolic && !(await fs.exists(resolve(source))))
      return `failed to access '${source}': No such file or directory`;
    if (options.has("f") && (await fs.lstat(path).catch(() => undefined))) await fs.rm(path);
    if (!isSymbolic) await fs.link(resolve(source), path);
    else await fs.symlink(options.has("r") ? relativePath(resolve(`${name}/..`), resolve(source)) : source, path);
    return undefined;
  } catch (error) {
    return `${what}${isSymbolic ? "" : ` => '${source}'`}: ${problemOf(error)}`;
  }
}

function lastName(path: string): string {
  const end = path.replace(/\/+$/, "");
  return end.slice(end.lastIndexOf("/") + 1);
}
