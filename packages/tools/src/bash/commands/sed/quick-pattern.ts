import type { GroupedMatch } from "../../../search/backtrack/backtracker.ts";

/** Steps that the engine of the language may need for a search at the worst: some milliseconds. */
const MOST_STEPS = 2_000_000;

/**
 * A pattern for the engine of the language, which is many times as fast as ours and knows no bound: for texts that are so
 * short that it cannot take long, and in ASCII, of which both think the same.
 */
export class QuickPattern {
  readonly #expression: RegExp;
  /** No longer text is for it. */
  readonly #longest: number;

  private constructor(source: string, flags: string, repeats: number) {
    this.#expression = new RegExp(source, flags);
    this.#longest = Math.floor(MOST_STEPS ** (1 / (repeats + 1)));
  }

  /** `rust` is in the syntax of Rust; undefined where the other engine may find something else, or take long. */
  static of(rust: string, ignoreCase: boolean): QuickPattern | undefined {
    const source = translate(rust);
    return source && new QuickPattern(source.text, ignoreCase ? "dgsui" : "dgsu", source.repeats);
  }

  takes(text: string): boolean {
    return text.length <= this.#longest && IS_ASCII.test(text);
  }

  find(text: string, from: number): GroupedMatch | undefined {
    const expression = this.#expression;
    expression.lastIndex = from;
    const match = expression.exec(text);
    if (!match?.indices) return undefined;
    const captures = match.indices.flatMap((place) => place ?? [-1, -1]);
    return { start: match.index, end: match.index + match[0].length, captures };
  }
}

const IS_ASCII = /^[\0-\x7f]*$/;

const TOKEN = /\\p\{\w+\}|\\[<>]|\\[#&~-]|\\.|\[\^?(?:\\.|[^\\\]])*\]|\{\d+(?:,\d*)?\}|[^]/gsu;
const EDGES: Readonly<Record<string, string>> = { "\\<": "\\b(?=\\w)", "\\>": "\\b(?<=\\w)", "\\A": "^", "\\z": "$" };

function translate(rust: string): { readonly text: string; readonly repeats: number } | undefined {
  let text = "";
  let repeats = 0;
  /** How many repetitions were there when each open group began. */
  const open: number[] = [];
  let atom = 0;
  for (const [token] of rust.matchAll(TOKEN)) {
    // Which alternative is taken, and what a repetition of groups keeps, differ.
    if (token === "|" || token === "?" || /^\\(?:g|\d)/.test(token)) return undefined;
    if (token === "(") open.push(repeats);
    else if (/^(?:[*+]|\{)/.test(token)) {
      if (atom !== repeats) return undefined;
      repeats++;
    }
    atom = token === ")" ? (open.pop() ?? 0) : repeats;
    text +=
      EDGES[token] ?? (token.startsWith("[") ? token.replace(/\\([&~])/g, "$1") : token.replace(/^\\([#&~-])$/, "$1"));
  }
  return { text, repeats };
}
