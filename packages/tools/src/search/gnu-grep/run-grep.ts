import type { GrepQuery, GrepReport, SearchScope } from "@tenrec/protocol";
import { hasCode } from "@tenrec/protocol";
import { CommandError } from "../command/command-error.ts";
import { nameTest } from "../command/name-test.ts";
import { type Finder, type Finding, findInOperands } from "../command/find-in-operands.ts";
import { LinePrinter, type LineStyle } from "../command/line-printer.ts";
import { GREP_PAINT, NO_PAINT } from "../command/paint.ts";
import type { Options } from "../command/read-options.ts";
import type { SearchCommandOutput, SearchShell } from "../command/search-shell.ts";
import { grepFinder, type GrepSyntax, planMatching, syntaxOf } from "./grep-matching.ts";
import { binaryFilesOf, contextOf, directoriesOf, maxCountOf, readGrepOptions, USAGE } from "./grep-options.ts";

const HELP =
  "Usage: grep [OPTION]... PATTERNS [FILE]...\nThis is GNU grep's command line on the search of this workspace; see the " +
  "manual of GNU grep for the options.\n";

/** `grep` with these arguments, as GNU grep does it without a terminal; `usual` is the syntax without an option for it. */
export async function runGrep(
  args: readonly string[],
  shell: SearchShell,
  usual: GrepSyntax = "basic",
): Promise<SearchCommandOutput> {
  const run: Run = { out: [], errors: [], failed: false, matched: false, quiet: false, silent: false };
  try {
    const options = readGrepOptions(args);
    if (options.has("help")) return { stdout: HELP, stderr: "", exitCode: 0 };
    if (options.has("version"))
      return { stdout: "grep (GNU grep) 3.8, on the search of this workspace\n", stderr: "", exitCode: 0 };
    await search(shell, options, usual, run);
  } catch (error) {
    const reason = reasonOf(error);
    const text = reason === USAGE ? USAGE : `grep: ${reason}`;
    return { stdout: run.out.join(""), stderr: `${run.errors.join("")}${text}\n`, exitCode: 2 };
  }
  const failed = run.failed && !(run.quiet && run.matched);
  return {
    stdout: run.out.join(""),
    stderr: run.errors.join(""),
    exitCode: failed ? 2 : run.matched ? 0 : 1,
  };
}

interface Run {
  readonly out: string[];
  /** What is said on stderr. */
  readonly errors: string[];
  failed: boolean;
  matched: boolean;
  quiet: boolean;
  silent: boolean;
}

function reasonOf(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  if (hasCode(error, "EINVAL")) return `${error.data.path}: ${error.data.reason}`;
  throw error;
}

async function search(shell: SearchShell, options: Options, usual: GrepSyntax, run: Run): Promise<void> {
  run.quiet = options.has("quiet", "silent");
  run.silent = options.has("no-messages");
  const operands = [...options.operands];
  const patterns = await patternsOf(shell, options, operands);
  const directories = directoriesOf(options);
  const recurses = directories === "recurse";
  const given = operands.length > 0 ? operands : recurses ? [""] : ["-"];
  const names = await namesInScope(shell, options, given);
  const report = reportOf(options, run.quiet);
  const paints = ["always", "yes", "force"].includes(options.last("color", "colour")?.value ?? "");
  const plan = await planMatching(
    shell,
    syntaxOf(options, usual),
    patterns,
    options,
    report === "lines" && (options.has("only-matching") || paints),
  );
  const query: Omit<GrepQuery, "pattern" | "path"> = {
    ...(await scopeOf(shell, options)),
    ...linesOf(options, report),
  };
  const nul = options.has("null-data");
  const finder = nul ? swapped(shell, grepFinder(shell, plan, query)) : grepFinder(shell, plan, query);
  const printer = new Printer(options, report, recurses || given.length > 1, paints, run);
  const found = findInOperands(shell, finder, names, {
    recurse: recurses,
    hidden: true,
    stdinName: options.last("label")?.value ?? "(standard input)",
  });
  for await (const finding of found) {
    if (finding.type === "file") printer.add(finding);
    else if (finding.type === "problem") problem(finding, directories, run);
    if (run.quiet && run.matched) return;
  }
}

function problem({ name, problem: what }: Extract<Finding, { type: "problem" }>, directories: string, run: Run): void {
  if (what === "directory" && directories === "skip") return;
  run.failed = true;
  if (run.silent) return;
  run.errors.push(`grep: ${name}: ${what === "directory" ? "Is a directory" : "No such file or directory"}\n`);
}

async function patternsOf(shell: SearchShell, options: Options, operands: string[]): Promise<string[]> {
  const patterns: string[] = [];
  for (const { name, value } of options.all("regexp", "file")) {
    if (name === "regexp") patterns.push(...value.split("\n"));
    else patterns.push(...(await patternsIn(shell, value)));
  }
  if (options.has("regexp", "file")) return patterns;
  const first = operands.shift();
  if (first === undefined) throw new CommandError(USAGE);
  return first.split("\n");
}

async function patternsIn(shell: SearchShell, file: string): Promise<string[]> {
  let bytes: Uint8Array;
  try {
    bytes = file === "-" ? shell.stdin.bytes() : await shell.fs.readFileBuffer(shell.resolve(file));
  } catch {
    throw new CommandError(`${file}: No such file or directory`);
  }
  const text = new TextDecoder().decode(bytes);
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
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
    spans: true,
    maxLineLength: 1_000_000,
  };
}

/** What a command line names, without what its own options leave out. */
async function namesInScope(
  shell: SearchShell,
  options: Options,
  names: readonly string[],
): Promise<readonly string[]> {
  const rules = options.all("include", "exclude");
  const folders = options.values("exclude-dir").map(nameTest);
  if (rules.length + folders.length === 0) return names;
  const kept: string[] = [];
  for (const name of names) {
    const base = name.replace(/\/+$/, "").split("/").at(-1) ?? "";
    const stat =
      name === "-" || name === "" ? undefined : await shell.fs.stat(shell.resolve(name)).catch(() => undefined);
    const last = rules.findLast(({ value }) => nameTest(value)(base));
    const isLeftOut = stat?.isDirectory
      ? folders.some((test) => test(base))
      : stat !== undefined && (last ? last.name === "exclude" : rules[0]?.name === "include");
    if (!isLeftOut) kept.push(name);
  }
  return kept;
}

/** What recursion goes into: everything, but for what options leave out. */
async function scopeOf(shell: SearchShell, options: Options): Promise<SearchScope> {
  const excluded = await Promise.all(options.values("exclude-from").map((file) => patternsIn(shell, file)));
  const globs = options.all("include", "exclude", "exclude-dir").map(({ name, value }) => {
    const glob = value.replace(/^\.\//, "").replace(/\/$/, "");
    return name === "include" ? glob : name === "exclude" ? `!${glob}` : `!${glob}/`;
  });
  const [first] = options.all("include", "exclude");
  // Only when it begins with what to include are other files left out.
  if (first?.name === "exclude" && options.has("include")) globs.unshift("*");
  return {
    hidden: true,
    noIgnore: true,
    follow: options.last("recursive", "dereference-recursive")?.name === "dereference-recursive",
    globs: [...globs, ...excluded.flat().map((glob) => `!${glob}`)],
  };
}

/** Lines that end with a NUL: in what is searched, NUL and line feed change places. */
function swapped(shell: SearchShell, finder: Finder): Finder {
  const swap = (bytes: Uint8Array): Uint8Array => bytes.map((byte) => (byte === 0 ? 10 : byte === 10 ? 0 : byte));
  return {
    content: (bytes, path) => finder.content(swap(bytes), path),
    async *tree(paths) {
      for await (const event of shell.search.glob(
        { path: paths, pattern: "**", hidden: true, noIgnore: true },
        shell.signal,
      )) {
        if (event.type !== "entry" || event.kind !== "file") continue;
        const bytes = await shell.fs.readFileBuffer(`/workspace${event.path}`);
        for await (const found of finder.content(swap(bytes), event.path)) if (found.type === "file") yield found;
      }
    },
  };
}

class Printer {
  readonly #options: Options;
  readonly #report: GrepReport;
  readonly #named: boolean;
  readonly #run: Run;
  readonly #style: LineStyle;
  readonly #lines: LinePrinter;
  readonly #swaps: boolean;

  constructor(options: Options, report: GrepReport, named: boolean, paints: boolean, run: Run) {
    const name = options.last("with-filename", "no-filename")?.name;
    this.#options = options;
    this.#report = report;
    this.#named = name === undefined ? named : name === "with-filename";
    this.#run = run;
    this.#swaps = options.has("null-data");
    this.#style = styleOf(options, this.#named, paints);
    this.#lines = new LinePrinter(this.#style, (text) => this.#write(text));
  }

  #write(text: string): void {
    if (!this.#run.quiet) this.#run.out.push(text);
  }

  add({ name, event }: Extract<Finding, { type: "file" }>): void {
    const { paint, nul } = this.#style;
    const isWithout = this.#report === "files-without-match";
    if (event.matches > 0) this.#run.matched = true;
    if (isWithout && event.matches > 0) return;
    if (this.#report === "files" || isWithout) this.#write(paint.name(name) + (nul ? "\0" : "\n"));
    else if (this.#report === "count")
      this.#write(`${this.#named ? paint.name(name) + (nul ? "\0" : paint.mark(":")) : ""}${event.matches}\n`);
    else if (event.binary !== undefined && event.lines.length === 0) {
      if (!this.#isBinaryLeftOut()) this.#run.errors.push(`grep: ${name}: binary file matches\n`);
      else if (event.continued !== true) this.#run.matched = false;
    } else {
      const lines = this.#swaps
        ? event.lines.map((line) => ({ ...line, text: line.text.replaceAll("\0", "\n") }))
        : event.lines;
      this.#lines.lines(name, { ...event, lines });
    }
  }

  #isBinaryLeftOut(): boolean {
    return binaryFilesOf(this.#options) === "without-match";
  }
}

function styleOf(options: Options, name: boolean, paints: boolean): LineStyle {
  const { before, after } = contextOf(options);
  const separator = options.last("group-separator", "no-group-separator");
  const hasGroups = before + after > 0 && separator?.name !== "no-group-separator";
  return {
    name,
    heading: false,
    lineNumber: options.has("line-number"),
    column: false,
    byteOffset: options.has("byte-offset"),
    only: options.has("only-matching"),
    emptyMatches: false,
    eachMatch: false,
    maxColumns: 0,
    preview: false,
    trim: false,
    nul: options.has("null"),
    matchMark: ":",
    contextMark: "-",
    ...(hasGroups ? { groupSeparator: separator?.value ?? "--" } : {}),
    crlf: false,
    lineEnd: options.has("null-data") ? "\0" : "\n",
    paint: paints ? GREP_PAINT : NO_PAINT,
  };
}
