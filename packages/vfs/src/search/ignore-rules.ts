import { type GlobRule, lastMatch, parseGlobRule } from "./glob-rule.ts";

/** The ignore files of ripgrep. What one says is final over all files of the kinds before it, however deep those are. */
export const IGNORE_FILES = [".gitignore", ".ignore", ".rgignore"] as const;

/** One ignore file. */
export interface IgnoreRules {
  /** Where it stands, with a final `/`: "/" or "/src/". Its globs are relative to this. */
  readonly directory: string;
  readonly rules: readonly GlobRule[];
}

/** The ignore files above a place: for each name of `IGNORE_FILES` from the root downwards. */
export type IgnoreStack = readonly (readonly IgnoreRules[])[];

export const NO_IGNORES: IgnoreStack = IGNORE_FILES.map(() => []);

export function parseIgnoreFile(directory: string, text: string): IgnoreRules {
  const rules = text.split("\n").flatMap((line) => parseLine(line) ?? []);
  return { directory, rules };
}

function parseLine(line: string): GlobRule | undefined {
  const text = line.replace(/\r$/, "");
  if (text.startsWith("#")) return undefined;
  return parseGlobRule(trimEnd(text));
}

// Blanks at the end do not count, but for one behind a backslash that is not itself escaped.
function trimEnd(text: string): string {
  const trimmed = text.replace(/ +$/, "");
  const [slashes] = /\\*$/.exec(trimmed) ?? [""];
  return slashes.length % 2 === 1 && trimmed.length < text.length ? `${trimmed} ` : trimmed;
}

/** What the ignore files say about a path: `ignore`, `keep` (by a `!` rule), or nothing. */
export function ignoreVerdict(
  stack: IgnoreStack,
  path: string,
  name: string,
  isDirectory: boolean,
): "ignore" | "keep" | undefined {
  for (const files of stack.toReversed()) {
    for (const { directory, rules } of files.toReversed()) {
      const rule = lastMatch(rules, path.slice(directory.length), name, isDirectory);
      if (rule) return rule.negated ? "keep" : "ignore";
    }
  }
  return undefined;
}
