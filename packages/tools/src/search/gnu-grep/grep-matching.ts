import type { GrepQuery } from "@tenrec/protocol";
import { hasCode } from "@tenrec/protocol";
import { Backtracker } from "../backtrack/backtracker.ts";
import { CommandError } from "../command/command-error.ts";
import { engineFinder, isForEngine } from "../command/engine-finder.ts";
import type { Finder } from "../command/find-in-operands.ts";
import { refinedFinder } from "../command/refine-lines.ts";
import type { Options } from "../command/read-options.ts";
import type { SearchShell } from "../command/search-shell.ts";
import { translatePosix } from "./posix-pattern.ts";

export type GrepSyntax = "basic" | "extended" | "fixed" | "perl";

const SYNTAX: Readonly<Record<string, GrepSyntax>> = {
  "extended-regexp": "extended",
  "fixed-strings": "fixed",
  "basic-regexp": "basic",
  "perl-regexp": "perl",
};

/** `egrep` and `fgrep` are grep with another syntax. */
export function syntaxOf(options: Options, usual: GrepSyntax): GrepSyntax {
  const given = new Set(options.all(...Object.keys(SYNTAX)).map(({ name }) => name));
  if (given.has("perl-regexp") && given.size > 1) throw new CommandError("conflicting matchers specified");
  return SYNTAX[options.last(...Object.keys(SYNTAX))?.name ?? ""] ?? usual;
}

/** What the engine of searches cannot say of a pattern of PCRE, or says otherwise. */
const FOR_PERL = /\(\?(?:<?[=!]|>|#|'|P[=>]|\||&|R|[+-]?\d)|\\[1-9gkKhHRNZQzG]|[*+?}]\+/;

export interface GrepPlan {
  /** For the engine; `report` and the like are not of it. */
  readonly query: Omit<GrepQuery, "path">;
  /** A matcher that has the last word, in lines that `query` finds, or in all. */
  readonly trackers: readonly Backtracker[];
}

/**
 * How to look for patterns. `showsMatches`: it matters where in a line they match, and of POSIX's patterns that is the
 * longest text.
 */
export async function planMatching(
  shell: SearchShell,
  syntax: GrepSyntax,
  patterns: readonly string[],
  options: Options,
  showsMatches: boolean,
): Promise<GrepPlan> {
  const ignoreCase = options.isOn("ignore-case", "no-ignore-case") || options.isOn("ignore-case-too", "no-ignore-case");
  const wholeLine = options.has("line-regexp");
  const word = options.has("word-regexp") && !wholeLine;
  const how = { ignoreCase, word, wholeLine };
  if (syntax === "fixed") return { query: { ...how, pattern: patterns, literal: true }, trackers: [] };
  if (syntax === "perl") {
    const query = { ...how, pattern: patterns };
    if (!patterns.some((pattern) => FOR_PERL.test(pattern)) && (await isForEngine(shell, query)))
      return { query, trackers: [] };
    const trackers = patterns.map((pattern) => perlTracker(pattern, how));
    return { query: { pattern: "" }, trackers };
  }
  const translated = patterns.map((pattern) => translatePosix(pattern, syntax === "extended"));
  const query = { ...how, pattern: translated.map(({ rust }) => rust) };
  const backwards = translated.some(({ hasBackreferences }) => hasBackreferences);
  const needsLongest = showsMatches && (patterns.length > 1 || translated.some(({ hasChoice }) => hasChoice));
  if (!backwards && !needsLongest) return { query, trackers: [] };
  const trackers = translated.map(
    ({ rust }) => new Backtracker(rust, { dialect: "rust", longest: showsMatches, ...how }),
  );
  return { query: backwards ? { pattern: "" } : query, trackers };
}

function perlTracker(pattern: string, how: { ignoreCase: boolean; word: boolean; wholeLine: boolean }): Backtracker {
  try {
    return new Backtracker(pattern, { dialect: "perl", ...how });
  } catch (error) {
    if (hasCode(error, "EINVAL")) throw new CommandError(error.data.reason);
    throw error;
  }
}

/** A search by a plan. `query` says what to report. */
export function grepFinder(shell: SearchShell, plan: GrepPlan, query: Omit<GrepQuery, "pattern" | "path">): Finder {
  const { trackers } = plan;
  if (trackers.length === 0) return engineFinder(shell, { ...query, ...plan.query });
  const { invert = false, before = 0, after = 0, report = "lines", zero = false, text = false } = query;
  const maxCount = query.maxCount ?? Number.POSITIVE_INFINITY;
  // Lines that the engine does not find are wanted for what is around a match, and when they are the answer.
  const needsAll = invert || before + after > 0 || zero || report === "files-without-match";
  const lines: GrepQuery = {
    ...query,
    ...(needsAll ? { pattern: "" } : plan.query),
    report: "lines",
    invert: false,
    before: 0,
    after: 0,
    maxCount: Number.POSITIVE_INFINITY,
    text: true,
    spans: false,
  };
  const refinement = { trackers, invert, before, after, maxCount, report, zero, text, passthru: false };
  return refinedFinder(shell, lines, refinement);
}
