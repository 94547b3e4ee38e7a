import type { CommandContext, ShellCommand } from "../shell-command.ts";
import { defineCommand } from "./define-command.ts";
import { modeText, sizeText, timeText } from "./list-columns.ts";
import type { ParsedOptions } from "./parse-options.ts";
import { problemOf } from "../problem-of.ts";

type Stat = Awaited<ReturnType<CommandContext["fs"]["lstat"]>>;

interface Entry {
  /** As it is shown. */
  readonly name: string;
  readonly path: string;
  readonly stat: Stat;
  readonly target?: string;
}

interface Listing {
  readonly heading?: string;
  readonly entries: readonly Entry[];
  /** A line about the size of all, as for folders. */
  readonly hasTotal: boolean;
}

const LONG = {
  all: "a",
  "almost-all": "A",
  directory: "d",
  recursive: "R",
  reverse: "r",
  "human-readable": "h",
  classify: "F",
  "color?": "-",
  "time-style=": "-",
  "group-directories-first": "D",
  "sort=": "s=",
  "full-time": "-",
  "no-group": "G",
  "numeric-uid-gid": "n",
  dereference: "L",
  inode: "i",
  size: "s",
};

/** In place of just-bash's, which puts blank lines between files and knows no `--color`. One name a line: nobody sees columns. */
export const ls: ShellCommand = defineCommand(
  "ls",
  { short: "aAldRrtShF1pnogGiskULcuCxmfXvBIHQNq", long: LONG },
  async (options, context) => {
    const problems: string[] = [];
    const listings = await collect(options, context, problems);
    const isLong = options.has("l", "n", "o", "g");
    const blocks = listings.map(({ heading, entries, hasTotal }) => {
      const lines = isLong ? longLines(options, entries) : entries.map((entry) => shownName(options, entry));
      const total = isLong && hasTotal ? [`total ${totalOf(options, entries)}`] : [];
      return [...(heading === undefined ? [] : [`${heading}:`]), ...total, ...lines]
        .map((line) => `${line}\n`)
        .join("");
    });
    return { stdout: blocks.join("\n"), stderr: problems.join(""), exitCode: problems.length > 0 ? 2 : 0 };
  },
  2,
);

async function collect(options: ParsedOptions, context: CommandContext, problems: string[]): Promise<Listing[]> {
  const { fs, resolve } = context;
  const files: Entry[] = [];
  const folders: string[] = [];
  const operands = options.operands.length > 0 ? options.operands : ["."];
  for (const name of operands) {
    const path = resolve(name);
    try {
      const followed = await fs.stat(path).catch(() => undefined);
      // A link to a folder is listed as that, unless its own line is asked for.
      const isFolder = followed?.isDirectory && !options.has("d");
      const isFollowed =
        isFolder && (!options.has("l") || name.endsWith("/") || !(await fs.lstat(path)).isSymbolicLink);
      if (isFollowed) folders.push(name);
      else files.push(await entryAt(context, name, path));
    } catch (error) {
      problems.push(`ls: cannot access '${name}': ${problemOf(error)}\n`);
    }
  }
  const listings: Listing[] = files.length > 0 ? [{ entries: sorted(options, files), hasTotal: false }] : [];
  const hasHeadings = operands.length > 1 || options.has("R");
  for (const folder of folders.sort(byBytes)) await addFolder(listings, folder, { options, context, hasHeadings });
  return listings;
}

interface Walk {
  readonly options: ParsedOptions;
  readonly context: CommandContext;
  readonly hasHeadings: boolean;
}

async function addFolder(listings: Listing[], name: string, walk: Walk): Promise<void> {
  const { options, context, hasHeadings } = walk;
  context.signal.throwIfAborted();
  const path = context.resolve(name);
  const all = options.has("a", "f") ? [".", ".."] : [];
  const names = await context.fs.readdir(path);
  const shown = options.has("a", "A", "f") ? names : names.filter((entry) => !entry.startsWith("."));
  const entries: Entry[] = [];
  for (const entry of [...all, ...shown])
    entries.push(await entryAt(context, entry, context.fs.resolvePath(path, entry)));
  const inOrder = sorted(options, entries);
  listings.push({ ...(hasHeadings ? { heading: name } : {}), entries: inOrder, hasTotal: true });
  if (!options.has("R")) return;
  for (const { name: child, stat } of inOrder) {
    if (!stat.isDirectory || child === "." || child === "..") continue;
    await addFolder(listings, name.endsWith("/") ? name + child : `${name}/${child}`, walk);
  }
}

async function entryAt({ fs }: CommandContext, name: string, path: string): Promise<Entry> {
  const stat = await fs.lstat(path);
  return { name, path, stat, ...(stat.isSymbolicLink ? { target: await fs.readlink(path) } : {}) };
}

const ORDERS: Readonly<Record<string, (a: Entry, b: Entry) => number>> = {
  t: (a, b) => b.stat.mtime.getTime() - a.stat.mtime.getTime(),
  S: (a, b) => b.stat.size - a.stat.size,
  X: (a, b) => byBytes(extension(a.name), extension(b.name)),
  v: (a, b) => a.name.localeCompare(b.name, "en", { numeric: true }),
};

function sorted(options: ParsedOptions, entries: readonly Entry[]): Entry[] {
  if (options.has("U", "f")) return [...entries];
  const named: Readonly<Record<string, string>> = { time: "t", size: "S", extension: "X", version: "v" };
  const wanted = options.given.findLast(([option]) => option in ORDERS || option === "s=");
  const order = ORDERS[wanted?.[0] === "s=" ? (named[wanted[1]] ?? "") : (wanted?.[0] ?? "")];
  const result = [...entries].sort((a, b) => order?.(a, b) || byBytes(a.name, b.name));
  if (options.has("r")) result.reverse();
  if (options.has("D")) result.sort((a, b) => Number(b.stat.isDirectory) - Number(a.stat.isDirectory));
  return result;
}

function extension(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

/** As the locale `C` orders names, by their bytes. */
function byBytes(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function shownName(options: ParsedOptions, { name, stat }: Entry): string {
  if ((options.has("F") || options.has("p")) && stat.isDirectory) return `${name}/`;
  if (!options.has("F")) return name;
  if (stat.isSymbolicLink) return `${name}@`;
  return stat.mode & 0o111 && stat.isFile ? `${name}*` : name;
}

function totalOf(options: ParsedOptions, entries: readonly Entry[]): string {
  const kib = entries.reduce((sum, { stat }) => sum + (stat.isDirectory ? 4 : Math.ceil(stat.size / 4096) * 4), 0);
  return options.has("h") ? sizeText(kib * 1024) : String(kib);
}

function longLines(options: ParsedOptions, entries: readonly Entry[]): string[] {
  const rows = entries.map((entry) => {
    const { stat, target } = entry;
    const size = options.has("h") ? sizeText(stat.size) : String(stat.isDirectory ? 4096 : stat.size);
    const owner = options.has("n") ? "1000" : "user";
    const owners = [...(options.has("g") ? [] : [owner]), ...(options.has("o", "G") ? [] : [owner])];
    const name = options.has("F") && target !== undefined ? entry.name : shownName(options, entry);
    return {
      mode: modeText(stat),
      owners,
      size,
      time: timeText(stat.mtime),
      name: target === undefined ? name : `${name} -> ${target}`,
    };
  });
  const width = Math.max(0, ...rows.map(({ size }) => size.length));
  return rows.map(({ mode, owners, size, time, name }) =>
    [mode, mode.startsWith("d") ? "2" : "1", ...owners, size.padStart(width), time, name].join(" "),
  );
}
