import { Automaton, type Span } from "./automaton.ts";
import { capturesOf } from "./captures.ts";
import { compileEre, type Step } from "./compile-ere.ts";
import { parseEre } from "./parse-ere.ts";
import { Search } from "./search.ts";

/** A regular expression of awk. Its time is linear in the length of a text, whatever the expression. */
export class Regex {
  readonly groups: number;
  readonly #steps: readonly Step[];
  /** All that it matches. */
  readonly #literal: string | undefined;
  #tester: Automaton | undefined;
  #finder: Automaton | undefined;

  /** `AwkError` for one that is not valid. */
  constructor(source: string, ignoreCase = false) {
    const { expression, groups } = parseEre(source, ignoreCase);
    this.groups = groups;
    this.#steps = compileEre(expression);
    this.#literal = ignoreCase || !LITERAL.test(source) ? undefined : source.replace(/\\(.)/gs, "$1");
  }

  test(text: string): boolean {
    if (this.#literal !== undefined) return text.includes(this.#literal);
    return (this.#tester ??= new Automaton(this.#steps, false)).test(text);
  }

  /** A search for all matches in a text. */
  search(text: string): Search {
    return new Search(text, this.#steps, this.#literal ?? (this.#finder ??= new Automaton(this.#steps, true)));
  }

  /** Start and end of each group in a match that was found, those of the whole first. */
  captures(text: string, match: Span): number[] {
    return capturesOf(this.#steps, this.groups, text, match);
  }
}

/** Not empty, and without operators: half of a pair could match half of another one. */
const LITERAL = /^(?:[^\\^$.|?*+()[\]{}\uD800-\uDFFF]|\\[^\w<>`'\uD800-\uDFFF])+$/;

const MOST_KEPT = 64;

/** Those that were used last. One for a program. */
export class Regexes {
  readonly #known = new Map<string, Regex>();

  get(source: string, ignoreCase: boolean): Regex {
    const key = (ignoreCase ? "i" : "c") + source;
    const known = this.#known.get(key);
    if (known) return known;
    const regex = new Regex(source, ignoreCase);
    if (this.#known.size >= MOST_KEPT) this.#known.delete(this.#known.keys().next().value ?? "");
    this.#known.set(key, regex);
    return regex;
  }
}
