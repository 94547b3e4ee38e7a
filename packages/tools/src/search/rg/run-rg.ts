import type { GrepQuery } from "@tenrec/protocol";
import { hasCode } from "@tenrec/protocol";
import { CommandError } from "../command/command-error.ts";
import { type Finding, findInOperands, join, toTree } from "../command/find-in-operands.ts";
import { LinePrinter, type LineStyle } from "../command/line-printer.ts";
import { Printed } from "../command/printed.ts";
import type { SearchCommandOutput, SearchShell } from "../command/search-shell.ts";
import { type RgCall, toRgCall } from "./rg-call.ts";
import { JsonPrinter } from "./rg-json.ts";
import { backtrackers, rgFinder, rgProblem } from "./rg-matching.ts";
import { readRgOptions } from "./rg-options.ts";
import { replacer } from "./rg-replace.ts";
import { sortFindings, sortOf } from "./rg-sort.ts";
import { styleOf } from "./rg-style.ts";

const HELP =
  "Usage: rg [OPTIONS] PATTERN [PATH ...], or rg [OPTIONS] --files [PATH ...]. This is ripgrep's command line on the " +
  "search of this workspace; see the manual of ripgrep 15 for the options.\n";

/** `rg` with these arguments, as ripgrep 15 does it without a terminal. */
export async function runRg(args: readonly string[], shell: SearchShell): Promise<SearchCommandOutput> {
  const run: Run = { out: new Printed(), errors: [], matched: false };
  let patterns: string[] = [];
  try {
    const options = readRgOptions(args);
    if (options.has("help")) return { stdout: HELP, stderr: "", exitCode: 0 };
    if (options.has("version"))
      return { stdout: "ripgrep 15 (on the search of this workspace)\n", stderr: "", exitCode: 0 };
    const call = toRgCall(options);
    if (options.has("stop-on-nonmatch") && call.report !== "lines")
      throw new CommandError("--stop-on-nonmatch is not supported for counts and names of files here");
    const operands = [...options.operands];
    patterns = await patternsOf(shell, call, operands);
    const names = namesOf(shell, call, operands);
    if (call.files) await listFiles(shell, call, names, run);
    else await search(shell, call, patterns, names, run);
  } catch (error) {
    run.errors.push(`rg: ${problemOf(error, patterns)}\n`);
    return { stdout: run.out.text(), stderr: run.errors.join(""), exitCode: 2 };
  }
  const exitCode = run.errors.length > 0 && !(run.quiet && run.matched) ? 2 : run.matched ? 0 : 1;
  return { stdout: run.out.text(), stderr: run.silent ? "" : run.errors.join(""), exitCode };
}

interface Run {
  readonly out: Printed;
  readonly errors: string[];
  matched: boolean;
  quiet?: boolean;
  silent?: boolean;
}

function problemOf(error: unknown, patterns: readonly string[]): string {
  if (error instanceof CommandError) return error.message;
  if (hasCode(error, "EINVAL")) return rgProblem(error.data.reason, error.data.path, patterns);
  throw error;
}

/** Takes the pattern from the operands when no option has it. */
async function patternsOf(shell: SearchShell, { options, files }: RgCall, operands: string[]): Promise<string[]> {
  const patterns = options.values("regexp");
  for (const file of options.values("file")) patterns.push(...(await linesOf(shell, file)));
  if (files || options.has("regexp", "file")) return patterns;
  const first = operands.shift();
  if (first === undefined) throw new CommandError("ripgrep requires at least one pattern to execute a search");
  return [first];
}

async function linesOf(shell: SearchShell, file: string): Promise<string[]> {
  let bytes: Uint8Array;
  try {
    bytes = file === "-" ? shell.stdin.bytes() : await shell.fs.readFileBuffer(shell.resolve(file));
  } catch {
    throw new CommandError(`${file}: No such file or directory (os error 2)`);
  }
  const text = new TextDecoder().decode(bytes);
  return text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
}

/** Without an operand it is the standard input, if there is something in it, and else the working directory. */
function namesOf(shell: SearchShell, { files }: RgCall, operands: readonly string[]): readonly string[] {
  if (operands.length > 0) return operands;
  return !files && shell.stdin.bytes().length > 0 ? ["-"] : [""];
}

async function search(
  shell: SearchShell,
  call: RgCall,
  patterns: readonly string[],
  names: readonly string[],
  run: Run,
): Promise<void> {
  const { options, query } = call;
  const ignoreFiles = options.values("ignore-file").flatMap((file) => toTree(shell.resolve(file)) ?? []);
  const withFiles: RgCall = { ...call, query: { ...query, ignoreFiles } };
  const finder = await rgFinder(shell, withFiles, patterns);
  run.quiet = options.has("quiet");
  run.silent = options.isOn("no-messages", "messages");
  const report = await reporter(shell, call, patterns, names, run);
  const found = findInOperands(shell, finder, names, {
    recurse: true,
    hidden: query.hidden ?? false,
    stdinName: "<stdin>",
  });
  const sorted = sortOf(options);
  let looked = 0;
  for await (const finding of sorted ? sortFindings(shell, found, sorted) : found) {
    if (finding.type === "looked") looked += finding.files;
    else if (finding.type === "problem") run.errors.push(missing(finding.name, names.length === 1));
    else if (report.add(finding)) run.matched = true;
    if (run.quiet && run.matched) break;
  }
  report.end();
  if (looked === 0 && !run.matched && names[0] === "") run.errors.push(NOTHING_SEARCHED);
}

const NOTHING_SEARCHED =
  "rg: No files were searched, which means ripgrep probably applied a filter you didn't expect.\n" +
  "Look at globs, types and ignore files; -uu searches ignored and hidden files, too.\n";

function missing(name: string, alone: boolean): string {
  return `rg: ${name}: ${alone ? `IO error for operation on ${name}: ` : ""}No such file or directory (os error 2)\n`;
}

interface Reporter {
  /** Whether it is a match. */
  add(finding: Extract<Finding, { type: "file" }>): boolean;
  end(): void;
}

async function reporter(
  shell: SearchShell,
  call: RgCall,
  patterns: readonly string[],
  names: readonly string[],
  run: Run,
): Promise<Reporter> {
  const { options, report, query } = call;
  const write = (text: string): void => {
    if (!run.quiet) run.out.add(text);
  };
  if (call.json) {
    const json = new JsonPrinter(write, options.last("line-number", "no-line-number")?.name !== "no-line-number");
    return { add: ({ name, event }) => (json.add(name, event), event.matches > 0), end: () => json.end() };
  }
  const style = styleOf(call, await namesFiles(shell, names));
  const replacement = options.last("replace")?.value;
  const matchers = () => backtrackers(call, patterns, call.perl === "always" ? "perl" : "rust");
  const replace = replacement === undefined ? {} : { replace: replacer(replacement, matchers) };
  const printer = new LinePrinter({ ...style, ...replace }, write);
  const separator = options.last("path-separator")?.value ?? "/";
  const stops = options.has("stop-on-nonmatch") && !query.multiline ? stopper(query.after ?? 0) : undefined;
  return {
    end: () => undefined,
    add: ({ name: path, event }) => {
      const name = separator === "/" ? path : path.replaceAll("/", separator);
      if (report !== "lines") write(summaryOf(style, report, name, event.matches));
      else if (event.binary !== undefined && event.lines.length === 0) printer.binary(name, event.binary);
      else printer.lines(name, stops ? stops(event) : event);
      if (report === "lines") return event.matches > 0;
      return report === "files-without-match" || event.matches > 0 || query.zero !== true;
    },
  };
}

/** A file's name, or how much was found in it. */
function summaryOf(
  style: Pick<LineStyle, "name" | "nul" | "paint" | "lineEnd">,
  report: string,
  name: string,
  matches: number,
): string {
  const nul = style.nul ? "\0" : "";
  if (report.startsWith("files")) return style.paint.name(name) + (nul || style.lineEnd);
  return `${style.name ? style.paint.name(name) + (nul || ":") : ""}${matches}${style.lineEnd}`;
}

/** The lines of each file up to the first that does not match behind one that does. */
function stopper(
  after: number,
): (event: Extract<Finding, { type: "file" }>["event"]) => Extract<Finding, { type: "file" }>["event"] {
  let last: number | undefined;
  let isOver = false;
  return (event) => {
    if (!event.continued) {
      last = undefined;
      isOver = false;
    }
    const lines = event.lines.filter(({ line, match }) => {
      if (last !== undefined && line > last + (match ? 1 : after)) isOver = true;
      if (match && !isOver) last = line;
      return !isOver;
    });
    return { ...event, lines };
  };
}

/** Names are printed unless one file is searched. */
async function namesFiles(shell: SearchShell, names: readonly string[]): Promise<boolean> {
  const [only = ""] = names;
  if (names.length > 1) return true;
  if (only === "-") return false;
  try {
    return (await shell.fs.stat(shell.resolve(only))).isDirectory;
  } catch {
    return true;
  }
}

async function listFiles(shell: SearchShell, call: RgCall, names: readonly string[], run: Run): Promise<void> {
  const { options, query } = call;
  const end = options.has("null") ? "\0" : "\n";
  run.quiet = options.has("quiet");
  const found: { name: string; mtime: number }[] = [];
  for (const name of names) {
    const path = toTree(shell.resolve(name));
    const isThere = await shell.fs.stat(shell.resolve(name)).then(
      () => true,
      () => false,
    );
    if (!isThere) run.errors.push(missing(name, names.length === 1));
    else if (path === undefined) throw new CommandError(`${name}: --files is for the workspace only`);
    else found.push(...(await filesBelow(shell, query, path, name)));
  }
  const sort = sortOf(options);
  if (sort?.by === "modified") found.sort((a, b) => a.mtime - b.mtime);
  if (sort?.descends) found.reverse();
  run.matched = found.length > 0;
  const separator = options.last("path-separator")?.value ?? "/";
  if (run.quiet) return;
  for (const { name } of found) run.out.add(name.replaceAll("/", separator) + end);
}

/** Files in scope, with their paths as they are printed. */
async function filesBelow(
  { search: port, signal }: SearchShell,
  query: Omit<GrepQuery, "pattern" | "path">,
  path: string,
  name: string,
): Promise<{ name: string; mtime: number }[]> {
  const found: { name: string; mtime: number }[] = [];
  for await (const event of port.glob({ ...query, path, pattern: "**" }, signal)) {
    if (event.type !== "entry" || event.kind !== "file") continue;
    const below = path === "/" ? event.path.slice(1) : event.path.slice(path.length + 1);
    found.push({ name: below === "" ? name : join(name, below), mtime: event.mtime });
  }
  return found;
}
