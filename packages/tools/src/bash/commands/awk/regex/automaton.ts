import type { Edge } from "../../../../search/backtrack/expression.ts";
import { AwkError } from "../awk-error.ts";
import type { Step } from "./compile-ere.ts";
import { WORD } from "./parse-bracket.ts";

/**
 * What the machine knows between two characters. The places where it is come in groups, one for each start of a match that
 * is still possible, the leftmost first; a place is only in the first group that is there.
 */
interface State {
  readonly groups: readonly (readonly number[])[];
  readonly before: Beside;
  /** No match begins here any more: one was found, or it may only begin at the first place. */
  readonly isClosed: boolean;
  readonly ascii: (Move | undefined)[];
  readonly others: Map<number, Move>;
  end: Move | undefined;
}

interface Move {
  readonly to: State;
  /** The group in front of the character of which something matches; -1 for none. */
  readonly found: number;
  /** Which group before each group now was; -1 for one that began in front of the character. Undefined for the same ones. */
  readonly from: readonly number[] | undefined;
  readonly isDead: boolean;
}

/** What is beside a place between characters: an end of the text, a part of a word, or something else. */
type Beside = "edge" | "word" | "other";

export interface Span {
  readonly start: number;
  readonly end: number;
}

const MOST_STATES = 300;
/** Work for one search, in places that are looked at: about a second. */
const MOST_WORK = 100_000_000;

/**
 * A deterministic automaton that is made as it is used, for the leftmost and longest match of a text in one pass: its time
 * is linear in the text's length, whatever the pattern.
 */
export class Automaton {
  readonly #steps: readonly Step[];
  readonly #keepsStarts: boolean;
  /** All matches begin at the beginning. */
  readonly #isAnchored: boolean;
  #states = new Map<string, State>();
  /** Where a search begins, by what is before it. */
  #first: Partial<Record<Beside, State>> = {};
  #work = 0;

  /** With `keepsStarts` it finds where a match is, else only whether there is one. */
  constructor(steps: readonly Step[], keepsStarts: boolean) {
    this.#steps = steps;
    this.#keepsStarts = keepsStarts;
    this.#isAnchored = steps[0]?.kind === "edge" && steps[0].edge === "text-start";
  }

  /** Whether there is a match. */
  test(text: string): boolean {
    let state = this.#firstState("edge");
    this.#work = 0;
    for (let at = 0; at < text.length;) {
      const move = this.#moveAt(state, text, at);
      if (move.found !== -1) return true;
      if (move.isDead) return false;
      at += sizeAt(text, at);
      state = move.to;
    }
    return this.#atEnd(state).found !== -1;
  }

  /** The first match that begins at `from` or behind it, the longest one there. Only with `keepsStarts`. */
  find(text: string, from: number): Span | undefined {
    if (this.#isAnchored && from > 0) return undefined;
    let state = this.#firstState(besideOf(text, from));
    let starts: number[] = [];
    let start = -1;
    let end = -1;
    this.#work = 0;
    for (let at = from; at <= text.length;) {
      const move = at < text.length ? this.#moveAt(state, text, at) : this.#atEnd(state);
      if (move.found !== -1) {
        start = starts[move.found] ?? at;
        end = at;
      }
      if (move.isDead) break;
      if (move.from) starts = startsAfter(move.from, starts, at);
      at += sizeAt(text, at);
      state = move.to;
    }
    return start === -1 ? undefined : { start, end };
  }

  #firstState(before: Beside): State {
    return (this.#first[before] ??= this.#state([], before, false));
  }

  #moveAt(state: State, text: string, at: number): Move {
    const unit = text.charCodeAt(at);
    const known = unit < 128 ? state.ascii[unit] : undefined;
    return known ?? this.#unusualMove(state, text.codePointAt(at) ?? 0);
  }

  #unusualMove(state: State, code: number): Move {
    const known = state.others.get(code);
    if (known) return known;
    const char = String.fromCodePoint(code);
    const move = this.#make(state, char, WORD(char) ? "word" : "other");
    if (code < 128) state.ascii[code] = move;
    else if (state.others.size < 2000) state.others.set(code, move);
    return move;
  }

  #atEnd(state: State): Move {
    return (state.end ??= this.#make(state, "", "edge"));
  }

  #make(state: State, char: string, after: Beside): Move {
    const seen = new Set<number>();
    const groups: number[][] = [];
    const from: number[] = [];
    let found = -1;
    const advance = (starts: readonly number[], origin: number): boolean => {
      const stepped = new Set<number>();
      const isFound = this.#close(starts, state.before, after, seen, char, stepped);
      if (stepped.size > 0) {
        groups.push(sorted(stepped));
        from.push(origin);
      }
      if (isFound) found = origin === -1 ? state.groups.length : origin;
      return isFound;
    };
    let isFound = false;
    for (const [at, starts] of state.groups.entries()) if (!isFound) isFound = advance(starts, at);
    if (!isFound && !state.isClosed) isFound = advance([0], -1);
    const kept = this.#keepsStarts || groups.length < 2 ? groups : [sorted(new Set(groups.flat()))];
    const isClosed = state.isClosed || isFound || this.#isAnchored;
    const to = this.#state(kept, after, isClosed);
    const isSame = groups.length === state.groups.length && from.every((origin, at) => origin === at);
    return { to, found, from: isSame ? undefined : from, isDead: isClosed && kept.length === 0 };
  }

  /** All that is reached without a character from `starts`, one step on over `char`; whether that is a match. */
  #close(
    starts: readonly number[],
    before: Beside,
    after: Beside,
    seen: Set<number>,
    char: string,
    stepped: Set<number>,
  ): boolean {
    const open = [...starts];
    let isFound = false;
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      if (++this.#work > MOST_WORK)
        throw new AwkError("a regular expression takes too many steps on a text of this length");
      const step = this.#steps[at];
      if (step?.kind === "match") isFound = true;
      else if (step?.kind !== "char") open.push(...behind(step, before, after));
      else if (char !== "" && step.test(char)) stepped.add(step.next);
    }
    return isFound;
  }

  #state(groups: readonly (readonly number[])[], before: Beside, isClosed: boolean): State {
    const key = `${before}${isClosed}${groups.map((group) => group.join(",")).join(";")}`;
    const known = this.#states.get(key);
    if (known) return known;
    // The ones that are in use go on, and what they lead to is made anew.
    if (this.#states.size >= MOST_STATES) {
      this.#states = new Map();
      this.#first = {};
    }
    const state: State = { groups, before, isClosed, ascii: [], others: new Map(), end: undefined };
    this.#states.set(key, state);
    return state;
  }
}

function sorted(places: ReadonlySet<number>): number[] {
  return [...places].sort((a, b) => a - b);
}

/** What follows a step that takes no character. */
function behind(step: Step | undefined, before: Beside, after: Beside): readonly number[] {
  if (step?.kind === "split") return [step.second, step.first];
  if (step?.kind === "save") return [step.next];
  return step?.kind === "edge" && holds(step.edge, before, after) ? [step.next] : [];
}

/** Where the matches of each group began. */
function startsAfter(from: readonly number[], starts: readonly number[], at: number): number[] {
  return from.map((group) => (group === -1 ? at : (starts[group] ?? at)));
}

/** Units of the character. */
function sizeAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit < 0xdc00 && isPair(text, at) ? 2 : 1;
}

function isAsciiWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
}

function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff;
}

function besideOf(text: string, at: number): Beside {
  if (at === 0) return "edge";
  const low = text.charCodeAt(at - 1);
  if (low < 128) return isAsciiWord(low) ? "word" : "other";
  const isHalf = low >= 0xdc00 && low < 0xe000 && at > 1 && isPair(text, at - 2);
  return WORD(text.slice(isHalf ? at - 2 : at - 1, at)) ? "word" : "other";
}

export function holds(edge: Edge, before: Beside, after: Beside): boolean {
  switch (edge) {
    case "text-start":
      return before === "edge";
    case "text-end":
      return after === "edge";
    case "word":
      return (before === "word") !== (after === "word");
    case "no-word":
      return (before === "word") === (after === "word");
    case "word-start":
      return before !== "word" && after === "word";
    default:
      return before === "word" && after !== "word";
  }
}
