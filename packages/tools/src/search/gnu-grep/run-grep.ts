import type { GrepQuery, GrepReport } from "@tenrec/protocol";
import { hasCode } from "@tenrec/protocol";
import { CommandError } from "../command/command-error.ts";
import { type Finder, type Finding, findInOperands } from "../command/find-in-operands.ts";
import { Printed } from "../command/printed.ts";
import type { Options } from "../command/read-options.ts";
import type { SearchCommandOutput, SearchShell } from "../command/search-shell.ts";
import { grepFinder, type GrepSyntax, planMatching, syntaxOf } from "./grep-matching.ts";
import { binaryFilesOf, contextOf, directoriesOf, maxCountOf, readGrepOptions, USAGE } from "./grep-options.ts";
import { GrepPrinter, type GrepRun, paints } from "./grep-printer.ts";
import { namesInScope, scopeOf } from "./grep-scope.ts";
import { linesIn } from "./lines-in.ts";
import { inNullLines } from "./null-lines.ts";

const HELP =
  "Usage: grep [OPTION]... PATTERNS [FILE]...\nThis is GNU grep's command line on the search of this workspace; see the " +
  "manual of GNU grep for the options.\n";

/** `grep` with these arguments, as GNU grep does it without a terminal; `usual` is the syntax without an option for it. */
export async function runGrep(
  args: readonly string[],
  shell: SearchShell,
  usual: GrepSyntax = "basic",
): Promise<SearchCommandOutput> {
  const run: GrepRun = { out: new Printed(), errors: [], failed: false, matched: false, quiet: false, silent: false };
  try {
    const options = readGrepOptions(args);
    if (options.has("help")) return { stdout: HELP, stderr: "", exitCode: 0 };
    if (options.has("version"))
      return { stdout: "grep (GNU grep) 3.8, on the search of this workspace\n", stderr: "", exitCode: 0 };
    await search(shell, options, usual, run);
  } catch (error) {
    const reason = reasonOf(error);
    const text = reason === USAGE ? USAGE : `grep: ${reason}`;
    return { stdout: run.out.text(), stderr: `${run.errors.join("")}${text}\n`, exitCode: 2 };
  }
  const failed = run.failed && !(run.quiet && run.matched);
  return {
    stdout: run.out.text(),
    stderr: run.errors.join(""),
    exitCode: failed ? 2 : run.matched ? 0 : 1,
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  if (hasCode(error, "EINVAL")) return `${error.data.path}: ${error.data.reason}`;
  throw error;
}

async function search(shell: SearchShell, options: Options, usual: GrepSyntax, run: GrepRun): Promise<void> {
  run.quiet = options.has("quiet", "silent");
  run.silent = options.has("no-messages");
  const operands = [...options.operands];
  const patterns = await patternsOf(shell, options, operands);
  const directories = directoriesOf(options);
  const recurse = directories === "recurse";
  const given = operands.length > 0 ? operands : recurse ? [""] : ["-"];
  const report = reportOf(options, run.quiet);
  const finder = await finderOf(shell, options, syntaxOf(options, usual), patterns, report);
  const printer = new GrepPrinter(options, report, recurse || given.length > 1, run);
  const stdinName = options.last("label")?.value ?? "(standard input)";
  const names = await namesInScope(shell, options, given);
  for await (const finding of findInOperands(shell, finder, names, { recurse, hidden: true, stdinName })) {
    if (finding.type === "file") printer.add(finding);
    else if (finding.type === "problem") problem(finding, directories, run);
    if (run.quiet && run.matched) return;
  }
}

async function finderOf(
  shell: SearchShell,
  options: Options,
  syntax: GrepSyntax,
  patterns: readonly string[],
  report: GrepReport,
): Promise<Finder> {
  const showsMatches = report === "lines" && (options.has("only-matching") || paints(options));
  const plan = await planMatching(shell, syntax, patterns, options, showsMatches);
  const scope = await scopeOf(shell, options);
  const finder = grepFinder(shell, plan, { ...scope, ...linesOf(options, report) });
  return options.has("null-data") ? inNullLines(shell, finder, scope) : finder;
}

function problem(
  { name, problem: what }: Extract<Finding, { type: "problem" }>,
  directories: string,
  run: GrepRun,
): void {
  if (what === "directory" && directories === "skip") return;
  run.failed = true;
  if (run.silent) return;
  run.errors.push(`grep: ${name}: ${what === "directory" ? "Is a directory" : "No such file or directory"}\n`);
}

async function patternsOf(shell: SearchShell, options: Options, operands: string[]): Promise<string[]> {
  const patterns: string[] = [];
  for (const { name, value } of options.all("regexp", "file")) {
    if (name === "regexp") patterns.push(...value.split("\n"));
    else patterns.push(...(await linesIn(shell, value)));
  }
  if (options.has("regexp", "file")) return patterns;
  const first = operands.shift();
  if (first === undefined) throw new CommandError(USAGE);
  return first.split("\n");
}

function reportOf(options: Options, quiet: boolean): GrepReport {
  const names = options.last("files-with-matches", "files-without-match")?.name;
  if (names) return names === "files-with-matches" ? "files" : "files-without-match";
  if (quiet) return "files";
  return options.has("count") ? "count" : "lines";
}

function linesOf(options: Options, report: GrepReport): Omit<GrepQuery, "pattern" | "path"> {
  const { before, after } = contextOf(options);
  const binary = binaryFilesOf(options);
  const shows = report === "lines" && !options.has("only-matching");
  return {
    // Which files do match says how it exits.
    ...(report === "files-without-match" ? { report: "count", zero: true } : { report, zero: report === "count" }),
    invert: options.has("invert-match"),
    before: shows ? before : 0,
    after: shows ? after : 0,
    maxCount: Math.min(maxCountOf(options), report === "files-without-match" ? 1 : Number.POSITIVE_INFINITY),
    text: binary === "text" || options.has("null-data"),
    binary: binary === "binary",
    // Where a line matches is only looked for when it is shown.
    spans: options.has("only-matching") || paints(options),
    places: options.has("byte-offset"),
    keepReturns: true,
    maxLineLength: 1_000_000,
  };
}
