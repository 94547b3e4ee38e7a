import type { CommandContext, CommandOutput, ShellCommand } from "../../shell-command.ts";
import { UsageError } from "../parse-options.ts";
import { readInput } from "../read-inputs.ts";
import { createArchive } from "./create-archive.ts";
import { ArchiveError } from "./read-archive.ts";
import { readMembers } from "./read-members.ts";
import { parseTarOptions, type TarOptions, verbosity } from "./tar-options.ts";
import { createTarOutput, type TarOutput } from "./tar-output.ts";

const HELP = "Try 'tar --help' or 'tar --usage' for more information.\n";
const VCS = [".git", ".gitignore", ".gitattributes", ".gitmodules", ".hg", ".hgignore", ".svn", "CVS", ".bzr"];

/** `tar` for plain archives and those of gzip. What it lacks, such as xz and `--append`, needs an executor. */
export const tar: ShellCommand = {
  name: "tar",
  takes(args) {
    try {
      return !parseTarOptions(args.map((arg) => arg ?? "")).needsExecutor;
    } catch {
      return true;
    }
  },
  async run(args, context) {
    const output = createTarOutput();
    try {
      const options = parseTarOptions(args);
      if (options.needsExecutor) return context.elsewhere();
      return await runMode(options, context, output);
    } catch (error) {
      if (error instanceof UsageError) return { stderr: `tar: ${error.message}\n${HELP}`, exitCode: 64 };
      if (!(error instanceof ArchiveError)) throw error;
      output.fail(error.message);
      return output.end();
    }
  },
};

async function runMode(options: TarOptions, context: CommandContext, output: TarOutput): Promise<CommandOutput> {
  const modes = new Set(options.given.map(([name]) => name).filter((name) => "ctx".includes(name)));
  const what = "'-Acdtrux', '--delete' or '--test-label'";
  if (modes.size === 0) return { stderr: `tar: You must specify one of the ${what} options\n${HELP}`, exitCode: 2 };
  if (modes.size > 1) return { stderr: `tar: You may not specify more than one ${what} option\n${HELP}`, exitCode: 2 };
  for (const folder of [options.folders, ...options.items.map((item) => item.folders)].map((all) =>
    folderOf(all, context),
  ))
    if (!(await context.fs.stat(folder).catch(() => undefined))?.isDirectory)
      throw new ArchiveError(`${folder}: Cannot open: No such file or directory`);
  const excluded = await excludedBy(options, context);
  return modes.has("c")
    ? create(options, excluded, context, output)
    : readMembers(
        options,
        {
          excluded,
          operands: await operandsOf(options, context),
          extracts: modes.has("x"),
          folder: folderOf(options.folders, context),
        },
        context,
        output,
      );
}

function folderOf(folders: readonly string[], { cwd, fs }: CommandContext): string {
  return folders.reduce((folder, next) => fs.resolvePath(folder, next), cwd);
}

async function excludedBy(options: TarOptions, context: CommandContext): Promise<string[]> {
  const globs = options.has("exclude-vcs") ? [...VCS] : [];
  for (const [name, value] of options.given) {
    if (name === "exclude") globs.push(value);
    if (name === "X") globs.push(...(await linesOf(value, context)));
  }
  return globs;
}

async function linesOf(name: string, context: CommandContext): Promise<string[]> {
  const { bytes, problem } = await readInput(name, context);
  if (problem !== undefined) throw new ArchiveError(`${name}: Cannot open: ${problem}`);
  return new TextDecoder()
    .decode(bytes)
    .split("\n")
    .filter((line) => line !== "");
}

async function itemsOf(options: TarOptions, context: CommandContext): Promise<{ folder: string; name: string }[]> {
  const items = options.items.map(({ folders, name }) => ({ folder: folderOf(folders, context), name }));
  const list = options.value("T");
  const listed = list === undefined ? [] : await linesOf(list, context);
  const folder = folderOf(options.folders, context);
  return [...items, ...listed.map((name) => ({ folder, name }))];
}

async function create(
  options: TarOptions,
  excluded: readonly string[],
  context: CommandContext,
  output: TarOutput,
): Promise<CommandOutput> {
  const file = options.value("f") ?? "-";
  const items = await itemsOf(options, context);
  if (items.length === 0 && !options.has("T"))
    return { stderr: `tar: Cowardly refusing to create an empty archive\n${HELP}`, exitCode: 2 };
  const archive = file === "-" ? undefined : context.resolve(file);
  let log = "";
  const bytes = await createArchive(
    {
      items,
      archive,
      excluded,
      follows: options.has("h"),
      recurses: !options.has("no-recursion"),
      keepsRoot: options.has("P"),
      verbose: verbosity(options),
      gzip: options.has("z") || (options.has("a") && /\.(tgz|taz|gz)$/.test(file)),
    },
    context,
    output,
    (line) => (log += line),
  );
  if (archive === undefined) {
    output.print(bytes);
    const { stderr = "", ...end } = output.end();
    return { ...end, stderr: log + stderr };
  }
  if (!(await written(context, archive, bytes)))
    throw new ArchiveError(`${file}: Cannot open: No such file or directory`);
  output.print(log);
  return output.end();
}

async function written({ fs }: CommandContext, path: string, bytes: Uint8Array): Promise<boolean> {
  if (!(await fs.exists(path.slice(0, path.lastIndexOf("/")) || "/"))) return false;
  await fs.writeFile(path, bytes);
  return true;
}

async function operandsOf(options: TarOptions, context: CommandContext): Promise<string[]> {
  return (await itemsOf(options, context)).map(({ name }) => name);
}
