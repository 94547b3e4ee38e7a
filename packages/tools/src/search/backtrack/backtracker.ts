import { TenrecError } from "@tenrec/protocol";
import { compileExpression, type Matcher } from "./compile-expression.ts";
import type { Expression } from "./expression.ts";
import { parseExpression } from "./parse-expression.ts";
import type { Dialect } from "./pattern-cursor.ts";

export interface BacktrackOptions {
  readonly dialect: Dialect;
  readonly ignoreCase?: boolean;
  readonly dotAll?: boolean;
  /** Whether `^` and `$` match at each line; default: in the syntax of Rust. */
  readonly lines?: boolean;
  /** What matches has no part of a word beside it. */
  readonly word?: boolean;
  /** What matches is the whole text. */
  readonly wholeLine?: boolean;
  /** Of all matches at a place the longest, as POSIX wants; else the first one that is found. */
  readonly longest?: boolean;
}

/** A match: offsets in the text, and start and end of each group behind those of the whole; -1 where one has not matched. */
export interface GroupedMatch {
  readonly start: number;
  readonly end: number;
  readonly captures: readonly number[];
}

/** Steps in one text: some tenths of a second. */
const MOST_STEPS = 1_000_000;
/** Steps in all texts of one search: so many for each character, and some more. */
const STEPS_PER_CHARACTER = 32;
const MOST_STEPS_MORE = 5_000_000;

/**
 * Patterns that the engine of searches cannot do, or the groups in a match of it. Its time is bounded by a number of steps,
 * behind which it throws `EINVAL`.
 */
export class Backtracker {
  /** Steps so far, for who wants to let others have their turn. */
  steps = 0;
  readonly names: ReadonlyMap<string, number>;
  /** Groups that capture, without the whole. */
  readonly groups: number;
  readonly #matcher: Matcher;
  readonly #longest: boolean;
  readonly #source: string;
  /** Characters of the texts so far. */
  #characters = 0;

  /** `EINVAL` for a pattern that is not valid. */
  constructor(pattern: string, options: BacktrackOptions) {
    const { dialect, ignoreCase = false, dotAll = false, longest = false, lines = dialect === "rust" } = options;
    const parsed = parseExpression(pattern, dialect, { fold: ignoreCase, dotAll, lines });
    this.names = parsed.names;
    this.#matcher = compileExpression(bounded(parsed.expression, options));
    this.groups = parsed.groups;
    this.#longest = longest;
    this.#source = pattern;
  }

  /** The first match that begins at `from` or behind it. */
  find(text: string, from: number): GroupedMatch | undefined {
    if (from === 0) this.#characters += text.length;
    const end = this.steps + MOST_STEPS;
    for (let at = from; at <= text.length; at += text.codePointAt(at) !== undefined && isPair(text, at) ? 2 : 1) {
      const match = this.#at(text, at, end);
      if (match) return match;
    }
    return undefined;
  }

  /** All matches in a text that do not overlap. */
  *matches(text: string): Generator<GroupedMatch> {
    let lastEnd = -1;
    for (let at = 0; at <= text.length;) {
      const match = this.find(text, at);
      if (!match) return;
      const isEmpty = match.start === match.end;
      if (!isEmpty || match.start !== lastEnd) yield match;
      lastEnd = match.end;
      at = isEmpty || match.end <= at ? Math.max(at, match.end) + 1 : match.end;
    }
  }

  /** The match that begins at `at`. */
  at(text: string, at: number): GroupedMatch | undefined {
    return this.#at(text, at, this.steps + MOST_STEPS);
  }

  #at(text: string, at: number, end: number): GroupedMatch | undefined {
    const most = MOST_STEPS_MORE + STEPS_PER_CHARACTER * this.#characters;
    const step = (): void => {
      if (++this.steps > end || this.steps > most) this.#giveUp();
    };
    const state = { text, names: this.names, captures: noCaptures(this.groups), keep: -1, step };
    let best: GroupedMatch | undefined;
    const isFound = (its: number): boolean => {
      if (!best || its > best.end) {
        const start = state.keep === -1 ? at : state.keep;
        best = { start, end: its, captures: [start, its, ...state.captures.slice(2)] };
      }
      return !this.#longest;
    };
    try {
      this.#matcher(state, at, isFound);
    } catch (error) {
      // The stack is full.
      if (error instanceof RangeError) this.#giveUp();
      throw error;
    }
    return best;
  }

  #giveUp(): never {
    const reason = "it takes too many steps on these lines; repeat less in it, or make it begin with plain text";
    throw new TenrecError("EINVAL", { path: this.#source.slice(0, 1000), reason });
  }
}

function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff;
}

function noCaptures(groups: number): number[] {
  return Array.from({ length: 2 * groups + 2 }, () => -1);
}

function bounded(expression: Expression, { word, wholeLine }: BacktrackOptions): Expression {
  const edges = wholeLine
    ? (["line-start", "line-end"] as const)
    : word
      ? (["word-start-half", "word-end-half"] as const)
      : undefined;
  if (!edges) return expression;
  return { kind: "sequence", parts: [{ kind: "edge", edge: edges[0] }, expression, { kind: "edge", edge: edges[1] }] };
}
