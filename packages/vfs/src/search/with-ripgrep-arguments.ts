import type { GrepQuery, GrepReport, SearchScope } from "@tenrec/protocol";

/** What a command line says, in the terms of the port; `show` is left to whoever prints. */
export interface RipgrepCall {
  readonly query: GrepQuery;
  /** `--files`: list what would be searched. */
  readonly files: boolean;
  /** Operands as they were given; empty for the directory it runs in. */
  readonly operands: readonly string[];
  /** Files that hold patterns or ignore rules, to be read by the caller. */
  readonly patternFiles: readonly string[];
  readonly show: RipgrepShow;
}

/** How matches are printed. */
export interface RipgrepShow {
  readonly only: boolean;
  readonly column: boolean;
  readonly vimgrep: boolean;
  readonly heading: boolean;
  readonly nul: boolean;
  readonly quiet: boolean;
  readonly crlf: boolean;
  readonly lineNumber: boolean | undefined;
  readonly fileName: boolean | undefined;
  readonly maxColumns: number;
  readonly contextSeparator: string | undefined;
  readonly pathSeparator: string;
}

const SHORT: Readonly<Record<string, string>> = {
  A: "after-context",
  B: "before-context",
  C: "context",
  F: "fixed-strings",
  H: "with-filename",
  I: "no-filename",
  L: "follow",
  M: "max-columns",
  N: "no-line-number",
  S: "smart-case",
  T: "type-not",
  U: "multiline",
  a: "text",
  c: "count",
  d: "max-depth",
  e: "regexp",
  f: "file",
  g: "glob",
  i: "ignore-case",
  j: "threads",
  l: "files-with-matches",
  m: "max-count",
  n: "line-number",
  o: "only-matching",
  q: "quiet",
  r: "replace",
  s: "case-sensitive",
  t: "type",
  u: "unrestricted",
  v: "invert-match",
  w: "word-regexp",
  x: "line-regexp",
  E: "encoding",
  P: "pcre2",
  b: "byte-offset",
  p: "pretty",
  z: "search-zip",
  0: "null",
  ".": "hidden",
};

const WITH_VALUE = new Set(
  (
    "after-context before-context context max-columns type-not type max-depth regexp file glob iglob threads max-count " +
    "type-add max-filesize ignore-file context-separator path-separator sort"
  ).split(" "),
);

const FLAGS = new Set(
  (
    "fixed-strings with-filename no-filename follow no-line-number smart-case multiline text count count-matches " +
    "files-with-matches files-without-match ignore-case line-number only-matching quiet case-sensitive unrestricted " +
    "invert-match word-regexp line-regexp null hidden column no-column vimgrep heading files sort-files crlf mmap no-mmap " +
    "glob-case-insensitive multiline-dotall no-ignore no-ignore-vcs no-ignore-dot no-ignore-parent no-context-separator"
  ).split(" "),
);

/** Parses the arguments of `rg`; the name of an option that the port does not have. */
export function parseRipgrepArguments(args: readonly string[]): RipgrepCall | string {
  const options = new Map<string, string[]>();
  const operands: string[] = [];
  const pending = [...args];
  for (let arg = pending.shift(); arg !== undefined; arg = pending.shift()) {
    if (arg === "--") operands.push(...pending.splice(0));
    else if (!arg.startsWith("-") || arg === "-") operands.push(arg);
    else {
      const unknown = readOption(arg, pending, options);
      if (unknown !== undefined) return unknown;
    }
  }
  return toCall(options, operands);
}

/** The name of an option that is not known. */
function readOption(arg: string, pending: string[], options: Map<string, string[]>): string | undefined {
  const add = (name: string, value: string): undefined => {
    const values = [...(options.get(name) ?? []), value];
    // In the order of their last use: of some the last one counts.
    options.delete(name);
    options.set(name, values);
  };
  if (arg.startsWith("--")) {
    const [, name = "", value] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(arg) ?? [];
    if (WITH_VALUE.has(name)) return add(name, value ?? pending.shift() ?? "");
    return FLAGS.has(name) ? add(name, "") : name;
  }
  for (let at = 1; at < arg.length; at++) {
    const name = SHORT[arg.charAt(at)] ?? arg.charAt(at);
    if (WITH_VALUE.has(name)) return add(name, arg.slice(at + 1).replace(/^=/, "") || (pending.shift() ?? ""));
    if (!FLAGS.has(name)) return name;
    add(name, "");
  }
  return undefined;
}

/** Options by name, with the values that they were given. */
type Options = ReadonlyMap<string, readonly string[]>;

function toCall(options: Options, operands: readonly string[]): RipgrepCall {
  const mode = [...options.keys()].findLast((name) => /^(?:count|files)/.test(name));
  const files = mode === "files";
  const patternFiles = options.get("file") ?? [];
  const given = options.has("regexp") || patternFiles.length > 0 || files;
  const query: GrepQuery = {
    ...scopeOf(options),
    ...matchingOf(options),
    pattern: options.get("regexp") ?? (given ? [] : operands.slice(0, 1)),
    report: reportOf(mode, options.has("only-matching")),
  };
  return { query, files, patternFiles, operands: given ? operands : operands.slice(1), show: showOf(options) };
}

function numberOf(options: Options, ...names: string[]): number | undefined {
  const value = names.flatMap((name) => (options.get(name) ?? []).slice(-1))[0];
  return value === undefined ? undefined : Number(value);
}

function scopeOf(options: Options): SearchScope {
  const all = (name: string): readonly string[] => options.get(name) ?? [];
  const lax = all("unrestricted").length;
  const sources = (["vcs", "dot", "parent"] as const).filter((source) => options.has(`no-ignore-${source}`));
  const typeGlobs = all("type-add").map((text) => text.split(":") as [string, string]);
  return {
    hidden: options.has("hidden") || lax > 1,
    noIgnore: options.has("no-ignore") || lax > 0 || sources,
    ignoreFiles: all("ignore-file"),
    globs: [...all("glob"), ...all("iglob")],
    globsIgnoreCase: options.has("glob-case-insensitive") || options.has("iglob"),
    types: all("type"),
    typesNot: all("type-not"),
    typeGlobs: Object.fromEntries(typeGlobs.map(([name, glob]) => [name, [glob]])),
    follow: options.has("follow"),
    maxDepth: numberOf(options, "max-depth") ?? Number.POSITIVE_INFINITY,
    maxFileSize: numberOf(options, "max-filesize") ?? Number.POSITIVE_INFINITY,
  };
}

function matchingOf(options: Options): Omit<GrepQuery, "pattern"> {
  // The last of them counts.
  const names = [...options.keys()];
  const bound = names.findLast((name) => name === "word-regexp" || name === "line-regexp");
  const isLax = (options.get("unrestricted") ?? []).length > 2;
  const nuls = names.findLast((name) => name === "text" || (name === "unrestricted" && isLax));
  return {
    literal: options.has("fixed-strings"),
    ignoreCase: options.has("ignore-case"),
    smartCase: options.has("smart-case") && !options.has("case-sensitive"),
    word: bound === "word-regexp",
    wholeLine: bound === "line-regexp",
    invert: options.has("invert-match"),
    multiline: options.has("multiline"),
    dotAll: options.has("multiline-dotall"),
    crlf: options.has("crlf"),
    text: nuls === "text",
    binary: nuls === "unrestricted",
    spans: true,
    places: true,
    maxLineLength: 1_000_000,
    keepReturns: !options.has("crlf"),
    before: numberOf(options, "before-context", "context") ?? 0,
    after: numberOf(options, "after-context", "context") ?? 0,
    maxCount: numberOf(options, "max-count") ?? Number.POSITIVE_INFINITY,
  };
}

function reportOf(mode: string | undefined, only: boolean): GrepReport {
  switch (mode) {
    case "files-with-matches":
      return "files";
    case "files-without-match":
      return "files-without-match";
    case "count-matches":
      return "count-matches";
    case "count":
      return only ? "count-matches" : "count";
    default:
      return "lines";
  }
}

function showOf(options: Options): RipgrepShow {
  const has = (name: string): boolean => options.has(name);
  const all = (name: string): readonly string[] => options.get(name) ?? [];
  const vimgrep = has("vimgrep");
  const hasContext = ["context", "before-context", "after-context"].some((name) => Number(all(name).at(-1) ?? 0) > 0);
  return {
    // Of what does not match there are no parts.
    only: has("only-matching") && !has("invert-match"),
    column: (vimgrep || has("column")) && !has("no-column"),
    vimgrep,
    heading: has("heading"),
    nul: has("null"),
    quiet: has("quiet"),
    crlf: has("crlf"),
    lineNumber: has("no-line-number") ? false : has("line-number") || has("column") || vimgrep,
    fileName: has("no-filename") ? false : has("with-filename") || vimgrep ? true : undefined,
    maxColumns: Number(all("max-columns").at(-1) ?? Number.POSITIVE_INFINITY),
    contextSeparator:
      hasContext && !has("no-context-separator") ? (all("context-separator").at(-1) ?? "--") : undefined,
    pathSeparator: all("path-separator").at(-1) ?? "/",
  };
}
