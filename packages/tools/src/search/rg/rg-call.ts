import type { GrepQuery, GrepReport, SearchScope } from "@tenrec/protocol";
import { CommandError } from "../command/command-error.ts";
import type { Options } from "../command/read-options.ts";
import { numberOf } from "./rg-options.ts";

/** What a command line asks for, but for its patterns and where. */
export interface RgCall {
  readonly options: Options;
  readonly query: Omit<GrepQuery, "pattern" | "path">;
  readonly report: GrepReport;
  /** List what would be searched. */
  readonly files: boolean;
  readonly json: boolean;
  /** By the matcher that has lookaround and backreferences. */
  readonly perl: "always" | "when-needed" | "never";
}

/** Lines that do not match are shown, too; it and context override each other. */
export function isPassthru(options: Options): boolean {
  const last = options.last("passthru", "passthrough", "context", "before-context", "after-context");
  return last?.name.startsWith("passthr") ?? false;
}

export function toRgCall(options: Options): RgCall {
  const report = reportOf(options);
  const { before, after } = contextOf(options);
  const nuls = nulsOf(options);
  const engine = options.last("engine", "pcre2", "no-pcre2", "auto-hybrid-regex");
  const perl = engine?.name === "pcre2" || engine?.value === "pcre2";
  const auto = engine?.name === "auto-hybrid-regex" || engine?.value === "auto";
  return {
    options,
    report,
    files: options.has("files"),
    json: options.isOn("json", "no-json") && report === "lines",
    perl: perl ? "always" : auto ? "when-needed" : "never",
    query: {
      ...scopeOf(options),
      literal: options.isOn("fixed-strings", "no-fixed-strings"),
      ...caseOf(options),
      word: options.isOn("word-regexp", "line-regexp"),
      wholeLine: options.isOn("line-regexp", "word-regexp"),
      invert: options.isOn("invert-match", "no-invert-match"),
      multiline: options.isOn("multiline", "no-multiline"),
      dotAll: options.isOn("multiline-dotall", "no-multiline-dotall"),
      crlf: options.isOn("crlf", "no-crlf"),
      keepReturns: !options.isOn("crlf", "no-crlf"),
      text: nuls === "text",
      binary: nuls === "binary",
      report,
      zero: options.has("include-zero"),
      spans: showsMatches(options),
      places: options.has("byte-offset", "json", "max-columns", "crlf"),
      maxLineLength: 1_000_000,
      before,
      after,
      maxCount: numberOf(options, "max-count") ?? Number.POSITIVE_INFINITY,
    },
  };
}

/** What a NUL means: the last option says it, and a third `-u` is `--binary`. */
function nulsOf(options: Options): "text" | "binary" | undefined {
  let nuls: "text" | "binary" | undefined;
  let lax = 0;
  for (const { name } of options.all("text", "no-text", "binary", "no-binary", "unrestricted")) {
    if (name === "unrestricted") nuls = ++lax === 3 ? "binary" : nuls;
    else nuls = name === "text" || name === "binary" ? name : undefined;
  }
  return nuls;
}

/** Where in its line a match is, is only looked for when it is shown. */
function showsMatches(options: Options): boolean {
  const color = options.last("color")?.value;
  return (
    options.has("only-matching", "column", "vimgrep", "replace", "json", "pretty") ||
    color === "always" ||
    color === "ansi"
  );
}

function caseOf(options: Options): Pick<GrepQuery, "ignoreCase" | "smartCase"> {
  const last = options.last("ignore-case", "smart-case", "case-sensitive")?.name;
  return { ignoreCase: last === "ignore-case", smartCase: last === "smart-case" };
}

function contextOf(options: Options): { before: number; after: number } {
  if (isPassthru(options)) return { before: 0, after: 0 };
  const both = numberOf(options, "context") ?? 0;
  return { before: numberOf(options, "before-context") ?? both, after: numberOf(options, "after-context") ?? both };
}

function scopeOf(options: Options): SearchScope {
  const lax = options.count("unrestricted");
  const sources = (["vcs", "dot", "parent"] as const).filter((one) =>
    options.isOn(`no-ignore-${one}`, `ignore-${one}`),
  );
  const globs = options.all("glob", "iglob");
  const insensitive = options.isOn("glob-case-insensitive", "no-glob-case-insensitive") || options.has("iglob");
  return {
    hidden: options.isOn("hidden", "no-hidden") || lax > 1,
    noIgnore: options.isOn("no-ignore", "ignore") || lax > 0 || sources,
    globs: globs.map(({ value }) => value),
    globsIgnoreCase: insensitive,
    types: options.values("type"),
    typesNot: options.values("type-not"),
    typeGlobs: typeGlobsOf(options),
    follow: options.isOn("follow", "no-follow"),
    maxDepth: numberOf(options, "max-depth", "maxdepth") ?? Number.POSITIVE_INFINITY,
    maxFileSize: sizeOf(options) ?? Number.POSITIVE_INFINITY,
  };
}

function typeGlobsOf(options: Options): Record<string, string[]> {
  const globs: Record<string, string[]> = {};
  for (const text of options.values("type-add")) {
    const [, name, glob] = /^([\p{L}\p{N}]+):(?!include:)(.+)$/su.exec(text) ?? [];
    if (name === undefined || glob === undefined)
      throw new CommandError("invalid definition (format is type:glob, e.g., html:*.html)");
    globs[name] = [...(globs[name] ?? []), glob];
  }
  return globs;
}

const UNITS: Readonly<Record<string, number>> = { "": 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 };

function sizeOf(options: Options): number | undefined {
  const given = options.last("max-filesize");
  if (!given) return undefined;
  const [, digits, unit = ""] = /^(\d+)([KMG]?)$/.exec(given.value) ?? [];
  if (digits === undefined)
    throw new CommandError(
      `error parsing flag ${given.typed}: invalid size: invalid format for size '${given.value}', which should be a non-empty sequence of digits followed by an optional 'K', 'M' or 'G' suffix`,
    );
  return Number(digits) * (UNITS[unit] ?? 1);
}

function reportOf(options: Options): GrepReport {
  switch (options.last("count", "count-matches", "files-with-matches", "files-without-match")?.name) {
    case "files-with-matches":
      return "files";
    case "files-without-match":
      return "files-without-match";
    case "count-matches":
      return "count-matches";
    case "count":
      return options.has("only-matching") ? "count-matches" : "count";
    default:
      return "lines";
  }
}
