import { Backtracker, type GroupedMatch } from "../../../search/backtrack/backtracker.ts";
import { translatePosix } from "../../../search/gnu-grep/posix-pattern.ts";
import { withCharacters } from "./escapes.ts";
import { QuickPattern } from "./quick-pattern.ts";

export interface PatternOptions {
  readonly extended: boolean;
  readonly ignoreCase: boolean;
  /** `^` and `$` match at each line of the pattern space. */
  readonly lines: boolean;
}

/** A character that stands for itself in the syntax of Rust. */
const PLAIN = /(?:[^\\^$.|?*+()[\]{}]|\\[^\w<>])/su;
const LITERAL = new RegExp(`^${PLAIN.source}*$`, "su");
const PREFIX = new RegExp(`^(?:${PLAIN.source}(?![*?+{]))+`, "su");

/** A regular expression of sed. Its time is bounded: it throws `EINVAL` beyond. */
export class SedPattern {
  readonly groups: number;
  readonly #tracker: Backtracker;
  /** What each match begins with. */
  readonly #prefix: string;
  readonly #isLiteral: boolean;
  readonly #quick: QuickPattern | undefined;

  /** `CommandError` or `EINVAL` for a pattern that is not valid. */
  constructor(source: string, { extended, ignoreCase, lines }: PatternOptions) {
    const { rust, hasChoice } = translatePosix(withCharacters(source), extended);
    this.#tracker = new Backtracker(rust, { dialect: "rust", ignoreCase, lines, dotAll: true, longest: hasChoice });
    this.groups = this.#tracker.groups;
    this.#isLiteral = !ignoreCase && rust !== "" && LITERAL.test(rust);
    this.#quick = lines ? undefined : QuickPattern.of(rust, ignoreCase);
    const isAlternative = ignoreCase || rust.includes("|");
    this.#prefix = isAlternative ? "" : (PREFIX.exec(rust)?.[0] ?? "").replace(/\\(.)/gsu, "$1");
  }

  /** How much it worked so far. */
  get steps(): number {
    return this.#tracker.steps;
  }

  /** The first match that begins at `from` or behind it. */
  find(text: string, from: number): GroupedMatch | undefined {
    const prefix = this.#prefix;
    if (!this.#isLiteral && this.#quick?.takes(text)) return this.#quick.find(text, from);
    if (prefix === "") return this.#tracker.find(text, from);
    for (let at = text.indexOf(prefix, from); at !== -1; at = text.indexOf(prefix, at + 1)) {
      const end = at + prefix.length;
      const match = this.#isLiteral ? { start: at, end, captures: [at, end] } : this.#tracker.at(text, at);
      if (match) return match;
    }
    return undefined;
  }
}
