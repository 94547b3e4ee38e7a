import type { GitCommitData, GitFile } from "@tenrec/protocol";
import { diffArrays } from "diff";
import type { CommandOutput } from "../shell-command.ts";
import { parseOptions, type ParsedOptions } from "../commands/parse-options.ts";
import { commitOf, fatal, type GitCall, notHere, treePath } from "./git-call.ts";
import { dateText } from "./log-text.ts";

/** A line that nobody is known for yet: where it is in the file that was asked for, and in the one that is looked at. */
interface OpenLine {
  readonly final: number;
  readonly line: number;
}

interface Blamed {
  /** Undefined for what is not committed. */
  readonly commit: GitCommitData | undefined;
  readonly path: string;
}

interface Pending {
  readonly commit: GitCommitData;
  readonly path: string;
  readonly lines: OpenLine[];
}

/** Beyond this many edits between two versions, all of the lines count as the newer one's. */
const MAX_EDITS = 2000;
const MAX_BYTES = 1024 * 1024;

const LONG = { "show-email": "e", "date=": "d", porcelain: "P", "line-porcelain": "P", root: "R", incremental: "P" };

export async function blameCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, { short: "L:selwtpfMC", long: LONG });
  if (options.has("P", "p", "f", "w", "M", "C", "t"))
    notHere("blame with this option", "use git blame -L FROM,TO FILE, and git show COMMIT for more");
  const operands = [...options.operands];
  const given = operands.pop() ?? fatal("no file to blame");
  const path = treePath(call, given);
  const [revision] = operands;
  const start = await commitOf(call, revision ?? "HEAD");
  const lines = revision === undefined ? await workLines(call, path) : await linesAt(call, start, path);
  if (!lines)
    fatal(
      revision === undefined
        ? `no such path '${path.slice(1)}' in HEAD`
        : `no such path ${path.slice(1)} in ${revision}`,
    );
  const range = rangeOf(options.value("L"), lines, path.slice(1));
  const open = range.map((at) => ({ final: at, line: at }));
  const blamed = new Map<number, Blamed>();
  await blameAll(call, { start, path, lines, isWork: revision === undefined }, open, blamed);
  return { stdout: blameText(call, lines, range, blamed, options) };
}

async function workLines(call: GitCall, path: string): Promise<string[] | undefined> {
  if (!(await call.git.files("index")).has(path.slice(1))) return undefined;
  const bytes = await call.shell.fs
    .readFileBuffer(`/workspace${path}`)
    .catch(() => fatal(`Cannot lstat '${path.slice(1)}': No such file or directory`));
  return linesOf(bytes);
}

async function linesAt(call: GitCall, commit: GitCommitData, path: string): Promise<string[] | undefined> {
  const file = (await call.git.files({ commit: commit.oid })).get(path.slice(1));
  return file && linesOf(await call.git.readBlob(file.oid));
}

function linesOf(bytes: Uint8Array): string[] {
  if (bytes.length > MAX_BYTES) notHere("blame of a file of more than 1 MiB", "use git log -S TEXT -- FILE");
  return new TextDecoder().decode(bytes).match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** `-L 3,5`, `3,+2`, `3`; lines from 0. */
function rangeOf(range: string | undefined, lines: readonly string[], name: string): number[] {
  if (range === undefined) return lines.map((_, at) => at);
  const [, from = "", sign, count] = /^(\d*)(?:,([+-]?)(\d*))?$/.exec(range) ?? [];
  if (!/^(\d*)(?:,([+-]?)(\d*))?$/.test(range)) notHere(`blame -L ${range}`, "use -L FROM,TO with numbers of lines");
  let [first, last] = [Number(from || 1), count === undefined || count === "" ? lines.length : Number(count)];
  if (sign === "+") last = first + Number(count) - 1;
  else if (sign === "-") [first, last] = [Math.max(1, first - Number(count) + 1), first];
  if (first > lines.length) fatal(`file ${name} has only ${lines.length} line${lines.length === 1 ? "" : "s"}`);
  const [low, high] = [Math.min(first, last), Math.min(Math.max(first, last), lines.length)];
  return Array.from({ length: high - low + 1 }, (_, at) => low - 1 + at);
}

interface Asked {
  readonly start: GitCommitData;
  readonly path: string;
  readonly lines: readonly string[];
  readonly isWork: boolean;
}

/** Hands each line to the oldest commit that has it as it is, the newest commits first. */
async function blameAll(
  call: GitCall,
  { start, path, lines, isWork }: Asked,
  open: OpenLine[],
  blamed: Map<number, Blamed>,
): Promise<void> {
  const waiting = new Map<string, Pending>();
  const first = isWork ? await handOver(call, start, path, { lines, file: undefined }, open, waiting) : open;
  if (isWork) for (const { final } of first) blamed.set(final, { commit: undefined, path });
  else waiting.set(`${start.oid} ${path}`, { commit: start, path, lines: open });
  for (let next = newest(waiting); next; next = newest(waiting)) {
    call.shell.signal.throwIfAborted();
    const { commit } = next;
    const file = (await call.git.files({ commit: commit.oid })).get(next.path.slice(1));
    const text = (await linesAt(call, commit, next.path)) ?? [];
    let left = next.lines;
    for (const oid of commit.parents) {
      const parent = left.length > 0 ? await call.git.commitAt(oid) : undefined;
      if (parent) left = await handOver(call, parent, next.path, { lines: text, file }, left, waiting);
    }
    for (const { final } of left) blamed.set(final, { commit, path: next.path });
  }
}

function newest(waiting: Map<string, Pending>): Pending | undefined {
  let best: [string, Pending] | undefined;
  for (const each of waiting)
    if (!best || each[1].commit.committer.timestamp > best[1].commit.committer.timestamp) best = each;
  if (best) waiting.delete(best[0]);
  return best?.[1];
}

/** Gives a commit the lines that it has, too; those that are left it has not. */
async function handOver(
  call: GitCall,
  commit: GitCommitData,
  path: string,
  now: { readonly lines: readonly string[]; readonly file: GitFile | undefined },
  open: OpenLine[],
  waiting: Map<string, Pending>,
): Promise<OpenLine[]> {
  const files = await call.git.files({ commit: commit.oid });
  const name = files.has(path.slice(1)) ? path.slice(1) : sameContent(files, now.file);
  const file = name === undefined ? undefined : files.get(name);
  if (name === undefined || !file) return open;
  const before = file.oid === now.file?.oid ? undefined : linesOf(await call.git.readBlob(file.oid));
  const known = before && sameLines(before, now.lines);
  const key = `${commit.oid} /${name}`;
  const pending = waiting.get(key) ?? { commit, path: `/${name}`, lines: [] };
  const left: OpenLine[] = [];
  for (const { final, line } of open) {
    const there = known ? known.get(line) : line;
    if (there === undefined) left.push({ final, line });
    else pending.lines.push({ final, line: there });
  }
  if (pending.lines.length > 0) waiting.set(key, pending);
  return left;
}

/** Where a file was before, whose content did not change. */
function sameContent(files: ReadonlyMap<string, GitFile>, file: GitFile | undefined): string | undefined {
  return file && [...files].find(([, { oid }]) => oid === file.oid)?.[0];
}

/** The line of the older text for each that is in both. */
function sameLines(before: string[], now: readonly string[]): ReadonlyMap<number, number> {
  const same = new Map<number, number>();
  let [old, current] = [0, 0];
  for (const { added, removed, count } of diffArrays(before, [...now], { maxEditLength: MAX_EDITS }) ?? []) {
    if (!added && !removed) for (let at = 0; at < count; at++) same.set(current + at, old + at);
    if (!added) old += count;
    if (!removed) current += count;
  }
  return same;
}

function blameText(
  { git }: GitCall,
  lines: readonly string[],
  range: readonly number[],
  blamed: ReadonlyMap<number, Blamed>,
  options: ParsedOptions,
): string {
  const now = { name: "Not Committed Yet", email: "not.committed.yet", timestamp: git.now(), timezoneOffset: 0 };
  const rows = range.map((at) => {
    const { commit, path = "" } = blamed.get(at) ?? {};
    const author = commit?.author ?? now;
    const who = options.has("e") ? `<${author.email}>` : author.name;
    return {
      id: idOf(commit, options.has("l")),
      path: path.slice(1),
      who,
      author,
      number: String(at + 1),
      text: lines[at] ?? "",
    };
  });
  const isMoved = new Set(rows.map(({ path }) => path)).size > 1;
  const width = (pick: (row: (typeof rows)[number]) => string): number =>
    Math.max(0, ...rows.map((row) => pick(row).length));
  const [nameWidth, whoWidth, numberWidth] = [
    width(({ path }) => path),
    width(({ who }) => who),
    width(({ number }) => number),
  ];
  const date = options.value("d") ?? "iso";
  const dates = rows.map(({ author }) => dateText(author, date, git.now()));
  const dateWidth = Math.max(0, ...dates.map((text) => text.length));
  return rows
    .map(({ id, path, who, number, text }, at) => {
      const name = isMoved ? ` ${path.padEnd(nameWidth)}` : "";
      const line = `${number.padStart(numberWidth)}) ${text.endsWith("\n") ? text : `${text}\n`}`;
      if (options.has("s")) return `${id}${name} ${line}`;
      return `${id}${name} (${who.padEnd(whoWidth)} ${(dates[at] ?? "").padEnd(dateWidth)} ${line}`;
    })
    .join("");
}

/** The first commits of all are marked. */
function idOf(commit: GitCommitData | undefined, isLong: boolean): string {
  const oid = commit?.oid ?? "0".repeat(40);
  const isFirst = commit?.parents.length === 0;
  return isFirst ? `^${oid.slice(0, isLong ? 39 : 7)}` : oid.slice(0, isLong ? 40 : 8);
}
