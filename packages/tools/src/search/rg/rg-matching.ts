import type { GrepQuery } from "@tenrec/protocol";
import { Backtracker } from "../backtrack/backtracker.ts";
import { CommandError } from "../command/command-error.ts";
import { engineFinder, isForEngine } from "../command/engine-finder.ts";
import type { Finder } from "../command/find-in-operands.ts";
import { refinedFinder } from "../command/refine-lines.ts";
import type { SearchShell } from "../command/search-shell.ts";
import { isPassthru, type RgCall } from "./rg-call.ts";

/** A search for these patterns, by the engine of searches or by the matcher that has lookaround. */
export async function rgFinder(shell: SearchShell, call: RgCall, patterns: readonly string[]): Promise<Finder> {
  const query: GrepQuery = { ...call.query, pattern: patterns };
  const perl = call.perl === "always" || (call.perl === "when-needed" && !(await isForEngine(shell, query)));
  const passthru = isPassthru(call.options);
  if (!perl && !passthru) return engineFinder(shell, query);
  if (query.multiline) throw new CommandError("--multiline is not supported together with --pcre2 or --passthru here");
  const { invert = false, before = 0, after = 0, maxCount = 0, zero = false, text = false } = query;
  const trackers = backtrackers(call, patterns, perl ? "perl" : "rust");
  const refinement = { trackers, invert, before, after, maxCount, report: call.report, zero, text, passthru };
  // Every line, for the matcher to choose from.
  const lines: GrepQuery = {
    ...call.query,
    pattern: "",
    literal: false,
    word: false,
    wholeLine: false,
    invert: false,
    report: "lines",
    text: true,
    spans: false,
    places: true,
    before: 0,
    after: 0,
    maxCount: Number.POSITIVE_INFINITY,
  };
  return refinedFinder(shell, lines, refinement);
}

export function backtrackers({ query }: RgCall, patterns: readonly string[], dialect: "perl" | "rust"): Backtracker[] {
  const { word = false, wholeLine = false, dotAll = false, literal = false } = query;
  const ignoreCase =
    query.ignoreCase || (query.smartCase === true && !patterns.some((one) => hasCapital(one, literal, dialect)));
  return patterns.map((pattern) => {
    const source = literal ? pattern.replaceAll(/[\\^$.|?*+()[\]{}]/g, "\\$&") : pattern;
    return new Backtracker(source, { dialect, ignoreCase, word, wholeLine, dotAll });
  });
}

/** What is no text of its own: escapes, names and flags of groups, names of classes. */
const NO_TEXT = /\\(?:[pP]\{[^}]*\}|[pP]?.)|\(\?(?:P?<[^>]*>|[a-zA-Z-]*)|\[:\^?\w+:\]/gs;

/** Smart case: of a Perl pattern only what has a backslash is no text. */
function hasCapital(pattern: string, literal: boolean, dialect: "perl" | "rust"): boolean {
  const text = literal ? pattern : pattern.replaceAll(dialect === "perl" ? /\\./gs : NO_TEXT, "");
  return /\p{Lu}/u.test(text);
}

/** What ripgrep says of a query that is not valid. */
export function rgProblem(reason: string, about: string, patterns: readonly string[]): string {
  if (reason.startsWith("there is no such type of files")) return `unrecognized file type: ${about}`;
  if (!patterns.some((pattern) => pattern.slice(0, 1000) === about)) return `error parsing glob '${about}': ${reason}`;
  if (reason.includes("line end"))
    return `the literal "\\n" is not allowed in a regex\n\nConsider enabling multiline mode with the --multiline flag (or -U for short).\nWhen multiline mode is enabled, new line characters can be matched.`;
  const perl = /lookaround|backreferences/.test(reason)
    ? "\n\nConsider enabling PCRE2 with the --pcre2 flag, which can handle backreferences\nand look-around."
    : "";
  return `regex parse error:\n    (?:${about})\nerror: ${reason}${perl}`;
}
