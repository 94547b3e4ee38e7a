import { deflateSync, Zip, ZipDeflate, ZipPassThrough } from "fflate";
import type { CommandContext, CommandOutput, ShellCommand } from "../../shell-command.ts";
import { globMatch } from "../glob-match.ts";
import { type ParsedOptions, parseOptions, UsageError } from "../parse-options.ts";
import { problemOf } from "../../problem-of.ts";
import { MAX_ARCHIVE_BYTES } from "../tar/read-archive.ts";
import { readEntry, readZip, ZipError } from "./read-zip.ts";

const SPEC = {
  short: "rqjyDx:i:0123456789",
  long: { "recurse-paths": "r", quiet: "q", "junk-paths": "j", symlinks: "y", "no-dir-entries": "D" },
};
/** Smaller files are looked at for whether packing makes them smaller. */
const SMALL = 1024;
/** What the format has dates for. */
const [FIRST, LAST] = [Date.UTC(1980, 0, 2), Date.UTC(2099, 0, 1)];

interface NewEntry {
  readonly name: string;
  readonly data: Uint8Array;
  readonly mode: number;
  readonly mtime: Date;
}

/** `zip`: adds to an archive or makes it. What else it can do needs an executor. */
export const zip: ShellCommand = {
  name: "zip",
  takes: (args) => optionsOf(args.map((arg) => arg ?? "")) !== undefined,
  async run(args, context) {
    const options = optionsOf(args);
    if (!options) return context.elsewhere();
    const [file, ...names] = options.operands;
    if (file === undefined || names.length === 0)
      return {
        stdout: 'Usage: zip [-options] [zipfile list]: "zip -r name.zip folder"\n',
        exitCode: file === undefined ? 0 : 12,
      };
    const shown = file === "-" || /\.[^/]*$/.test(file.slice(1)) ? file : `${file}.zip`;
    try {
      return await update(shown, names, options, context);
    } catch (error) {
      if (!(error instanceof ZipError)) throw error;
      return { stderr: `zip error: ${error.message} (${shown})\n`, exitCode: 3 };
    }
  },
};

/** `-x` and `-i` take all words up to the next option. Undefined for what is not done here. */
function optionsOf(args: readonly string[]): ParsedOptions | undefined {
  let list = "";
  const words = args.flatMap((arg) => {
    if (arg === "-x" || arg === "-i") {
      list = arg;
      return [];
    }
    if (arg.startsWith("-") && arg !== "-") list = "";
    return list === "" ? [arg] : [list, arg];
  });
  try {
    return parseOptions(words, SPEC);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

async function update(
  file: string,
  names: readonly string[],
  options: ParsedOptions,
  context: CommandContext,
): Promise<CommandOutput> {
  const path = file === "-" ? undefined : context.resolve(file);
  const walk: Walk = { options, context, archive: path, found: new Map(), stderr: "", total: 0 };
  for (const name of names) await addPath(walk, name.replace(/^(\.\/+)+/, "") || ".");
  if (walk.found.size === 0)
    return { stdout: `\nzip error: Nothing to do! (${file})\n`, stderr: walk.stderr, exitCode: 12 };
  const before = path === undefined ? new Map<string, NewEntry>() : await entriesIn(path, context);
  const log = [...walk.found.keys()].map((name) => `${before.has(name) ? "updating" : "  adding"}: ${name}\n`).join("");
  const bytes = await packed([...new Map([...before, ...walk.found]).values()], options, context);
  const isQuiet = options.has("q");
  if (path === undefined) return { stdout: bytes, stderr: walk.stderr + (isQuiet ? "" : log) };
  await context.fs.writeFile(path, bytes);
  return { stdout: isQuiet ? "" : log, stderr: walk.stderr };
}

async function entriesIn(path: string, { fs }: CommandContext): Promise<Map<string, NewEntry>> {
  if (!(await fs.exists(path))) return new Map();
  const bytes = await fs.readFileBuffer(path);
  const entries = readZip(bytes);
  if (!entries) throw new ZipError("Zip file structure invalid");
  return new Map(entries.map((entry) => [entry.name, { ...entry, data: readEntry(bytes, entry) }]));
}

interface Walk {
  readonly options: ParsedOptions;
  readonly context: CommandContext;
  readonly archive: string | undefined;
  readonly found: Map<string, NewEntry>;
  stderr: string;
  total: number;
}

async function addPath(walk: Walk, name: string): Promise<void> {
  const { options, context } = walk;
  const { fs } = context;
  const path = context.resolve(name);
  const lstat = await fs.lstat(path).catch(() => undefined);
  const isLink = lstat?.isSymbolicLink === true && options.has("y");
  const stat = isLink ? lstat : await fs.stat(path).catch(() => undefined);
  if (!stat) {
    walk.stderr += `\tzip warning: name not matched: ${name}\n`;
    return;
  }
  if (path === walk.archive) return;
  if (stat.isDirectory) return addFolder(walk, name, stat);
  try {
    const data = isLink ? new TextEncoder().encode(await fs.readlink(path)) : await fs.readFileBuffer(path);
    put(walk, name, { data, mode: (isLink ? 0o120000 : 0o100000) | (stat.mode & 0o777), mtime: stat.mtime });
  } catch (error) {
    if (error instanceof ZipError) throw error;
    walk.stderr += `\tzip warning: could not open for reading: ${name}: ${problemOf(error)}\n`;
  }
}

async function addFolder(
  walk: Walk,
  name: string,
  stat: { readonly mode: number; readonly mtime: Date },
): Promise<void> {
  const { options, context } = walk;
  const inside = name === "." ? "" : `${name.replace(/\/+$/, "")}/`;
  const entry = { data: new Uint8Array(), mode: 0o040000 | (stat.mode & 0o777), mtime: stat.mtime };
  if (inside !== "" && !options.has("D", "j")) put(walk, inside, entry);
  if (!options.has("r")) return;
  for (const child of (await context.fs.readdir(context.resolve(name))).sort())
    await addPath(walk, `${inside}${child}`);
}

function put(walk: Walk, given: string, entry: Omit<NewEntry, "name">): void {
  const { options } = walk;
  const globs = (letter: string): string[] => options.given.filter(([name]) => name === letter).map(([, glob]) => glob);
  const matches = (glob: string): boolean => globMatch(glob, given);
  if (globs("x").some(matches) || (globs("i").length > 0 && !globs("i").some(matches))) return;
  const inside = given.replace(/^\/+/, "");
  const name = options.has("j") ? inside.slice(inside.lastIndexOf("/") + 1) : inside;
  walk.total += entry.data.length;
  if (walk.total > MAX_ARCHIVE_BYTES)
    throw new ZipError(`more than ${MAX_ARCHIVE_BYTES} bytes, the limit of this shell`);
  walk.found.set(name, { ...entry, name });
}

async function packed(
  entries: readonly NewEntry[],
  options: ParsedOptions,
  { signal }: CommandContext,
): Promise<Uint8Array> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const archive = new Zip((error, part) => {
    if (error) throw error;
    parts.push(part as Uint8Array<ArrayBuffer>);
  });
  const level = Number(options.given.findLast(([name]) => /^\d$/.test(name))?.[0] ?? 6) as 6;
  for (const { name, data, mode, mtime } of entries) {
    // Lets a timer or an abort come through.
    await new Promise((resolve) => setTimeout(resolve, 0));
    signal.throwIfAborted();
    const isStored =
      Number(level) === 0 || (data.length <= SMALL && deflateSync(data, { level }).length >= data.length);
    const entry = isStored ? new ZipPassThrough(name) : new ZipDeflate(name, { level });
    entry.os = 3;
    entry.attrs = ((mode << 16) | (name.endsWith("/") ? 0x10 : 0)) >>> 0;
    entry.mtime = Math.min(Math.max(mtime.getTime() || 0, FIRST), LAST);
    archive.add(entry);
    entry.push(data, true);
  }
  archive.end();
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
