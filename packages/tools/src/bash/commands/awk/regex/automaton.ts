import { AwkError } from "../awk-error.ts";
import { type Beside, besideOf, holds, sizeAt } from "./beside.ts";
import type { Step } from "./compile-ere.ts";
import type { Prospect, Prospects } from "./prospects.ts";
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
  /** Whether a match can still come, by what leads to one. */
  readonly hopes: Map<Prospect, boolean>;
}

interface Move {
  readonly to: State;
  /** The group in front of the character of which something matches; -1 for none. */
  readonly found: number;
  /** Which group before each group now was; -1 for one that began in front of the character. Undefined for the same ones. */
  readonly from: readonly number[] | undefined;
  readonly isDead: boolean;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Found {
  readonly span: Span | undefined;
  /** In characters that are known. */
  readonly work: number;
  /** Characters that were looked at behind the match, for a longer one. */
  readonly beyond: number;
}

/** Places in the states that are kept, and what a state takes beside them. */
const MOST_KEPT = 200_000;
const STATE_SIZE = 50;
/** Those that are kept by one state. */
const MOST_HOPES = 300;
/** A character that is new to a state, and a place for it, measured by characters that are known. */
export const NEW_WORK = 1000;
const PLACE_WORK = 40;
/** Work for one match: less than a second. */
export const MOST_WORK = 30_000_000;
export const TOO_MUCH_WORK = "a regular expression takes too many steps on a text of this length";

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
  #kept = 0;

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
  find(text: string, from: number, prospects?: Prospects): Found {
    if (this.#isAnchored && from > 0) return { span: undefined, work: 1, beyond: 0 };
    let state = this.#firstState(besideOf(text, from));
    let starts: number[] = [];
    let start = -1;
    let end = -1;
    let at = from;
    this.#work = 0;
    while (at <= text.length) {
      if (start !== -1 && prospects && !this.#hasHope(state, prospects.at(at))) break;
      const move = at < text.length ? this.#moveAt(state, text, at) : this.#atEnd(state);
      if (move.found !== -1) {
        start = starts[move.found] ?? at;
        end = at;
      }
      if (move.isDead) break;
      if (move.from) {
        starts = startsAfter(move.from, starts, at);
        this.#work += starts.length;
      }
      at += sizeAt(text, at);
      state = move.to;
    }
    const work = this.#work + at - from + 1;
    return start === -1 ? { span: undefined, work, beyond: 0 } : { span: { start, end }, work, beyond: at - end };
  }

  /** Whether a match can still come. */
  #hasHope(state: State, prospect: Prospect): boolean {
    const known = state.hopes.get(prospect);
    if (known !== undefined) return known;
    const hope = state.groups.some((group) => {
      this.#work += group.length;
      return group.some((place) => prospect[place] === 1);
    });
    if (state.hopes.size < MOST_HOPES) state.hopes.set(prospect, hope);
    return hope;
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
    this.#work += NEW_WORK;
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
      if ((this.#work += PLACE_WORK) > MOST_WORK) throw new AwkError(TOO_MUCH_WORK);
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
    if (this.#kept >= MOST_KEPT) {
      this.#states = new Map();
      this.#first = {};
      this.#kept = 0;
    }
    this.#kept += STATE_SIZE + groups.reduce((sum, group) => sum + group.length, 0);
    const state: State = { groups, before, isClosed, ascii: [], others: new Map(), end: undefined, hopes: new Map() };
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
