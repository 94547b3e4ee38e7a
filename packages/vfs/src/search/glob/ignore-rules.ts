import { type GlobRule, parseGlobRule } from "./glob-rule.ts";
import { GlobError } from "./parse-glob.ts";
import { RuleSet } from "./rule-set.ts";

/** The ignore files of ripgrep. What one says is final over all files of the kinds before it, however deep those are. */
export const IGNORE_FILES = [".gitignore", ".ignore", ".rgignore"] as const;

/** One ignore file. */
export interface IgnoreRules {
  readonly file: string;
  /** Where it stands, with a final `/`: "/" or "/src/". Its globs are relative to this. */
  readonly directory: string;
  readonly rules: RuleSet;
}

/** Ignore files by kind, the last kind first asked, and for each kind the last file. */
export type IgnoreStack = readonly (readonly IgnoreRules[])[];

export function parseIgnoreFile(directory: string, text: string, file = `${directory}.gitignore`): IgnoreRules {
  const lines = text.replace(/^\ufeff/, "").split("\n");
  return { file, directory, rules: new RuleSet(lines.flatMap((line) => parseLine(line) ?? [])) };
}

function parseLine(line: string): GlobRule | undefined {
  const text = line.replace(/\r$/, "");
  if (text.startsWith("#")) return undefined;
  try {
    return parseGlobRule(trimEnd(text));
  } catch (error) {
    // As git and ripgrep do: a line that is not valid says nothing.
    if (error instanceof GlobError) return undefined;
    throw error;
  }
}

// Blanks at the end do not count, but for one behind a backslash that is not itself escaped.
function trimEnd(text: string): string {
  const trimmed = text.replace(/ +$/, "");
  const [slashes] = /\\*$/.exec(trimmed) ?? [""];
  return slashes.length % 2 === 1 && trimmed.length < text.length ? `${trimmed} ` : trimmed;
}

/** What the ignore files say about a path, and which of them. */
interface RuledVerdict {
  readonly says: "ignore" | "keep";
  readonly rule: string;
  readonly file: string;
}

/** What the ignore files say about a path: `ignore`, `keep` (by a `!` rule), or nothing. */
export function ignoreVerdict(...asked: Parameters<typeof ignoreRule>): "ignore" | "keep" | undefined {
  return ignoreRule(...asked)?.says;
}

/** As `ignoreVerdict`, with the rule that says so. */
export function ignoreRule(
  stack: IgnoreStack,
  path: string,
  name: string,
  isDirectory: boolean,
): RuledVerdict | undefined {
  for (let kind = stack.length - 1; kind >= 0; kind--) {
    const files = stack[kind] ?? [];
    for (let at = files.length - 1; at >= 0; at--) {
      const file = files[at];
      const rule = file?.rules.lastMatch(path.slice(file.directory.length), name, isDirectory);
      if (file && rule) return { says: rule.negated ? "keep" : "ignore", rule: rule.text, file: file.file };
    }
  }
  return undefined;
}
