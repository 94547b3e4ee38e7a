import { type Alphabet, END, INVALID } from "./alphabet.ts";
import { decodeAt, NO_CHAR } from "./decode.ts";
import { EDGE, holds, LINE_FEED_SIDE } from "./looks.ts";
import { checkWork, LOOK, MATCH, type Program, SET, SPLIT } from "./program.ts";

/** Places in the table, before the states: not known yet, and a match. */
const UNKNOWN = 0;
const FOUND = 1;

/** Room for states and for what they consist of, some 10 MB. What is more is forgotten and found anew. */
const MAX_STATES = 4096;
const MAX_PLACES = 1_000_000;

interface State {
  /** Steps of the program that a text can be at: of kinds `SET` and `LOOK`. */
  readonly places: Uint16Array;
  /** Sides of the character before. */
  readonly before: number;
}

/**
 * Finds whether and where a text matches, in time linear in the text whatever the pattern: a deterministic automaton over
 * bytes, made while it runs. Where a match ends is where it is first certain; where it begins is not known.
 */
export class LazyDfa {
  readonly #program: Program;
  readonly #alphabet: Alphabet;
  // Row of a state at `id << shift`; entries are rows as well, or UNKNOWN or FOUND.
  #table: Int32Array = new Int32Array(0);
  #shift = 0;
  readonly #states: (State | undefined)[] = [];
  readonly #ids = new Map<string, number>();
  #placesKept = 0;
  #start = 0;
  // Marks of steps that were visited in one closure.
  readonly #marks: Uint32Array;
  #mark = 0;
  readonly #stack: number[] = [];
  #places: number[] = [];
  #matched = false;
  /** Bytes of the character that was classified last. */
  #width = 1;

  #read = 0;

  /** Steps of the program that were looked at to make states: the work beside reading. */
  work = 0;

  constructor(program: Program, alphabet: Alphabet) {
    this.#program = program;
    this.#alphabet = alphabet;
    this.#marks = new Uint32Array(program.ops.length);
    this.#clear();
  }

  /**
   * An offset at which it is certain that the text has a match, -1 when it has none. `from` is where the text begins; the
   * match is complete at the offset, or with the character there. Past the last character, that is `to`. `EINVAL` when it
   * would take too long.
   */
  find(bytes: Uint8Array, from: number, to: number): number {
    const found = this.#run(bytes, from, to);
    this.#read += (found === -1 ? to : found) - from;
    return found;
  }

  #run(bytes: Uint8Array, from: number, to: number): number {
    const { ascii } = this.#alphabet;
    let table = this.#table;
    let state = this.#start;
    if (state === FOUND) return from;
    for (let at = from; at < to;) {
      // Nearly all of the time of a search is spent in this line.
      let next = UNKNOWN;
      while (at < to && (next = table[state + (ascii[bytes[at] as number] as number)] as number) > FOUND) {
        state = next;
        at++;
      }
      if (at >= to) break;
      if (next === FOUND) return at;
      const kind = this.#classAt(bytes, at, to);
      state = this.#step(state, kind);
      table = this.#table;
      if (state === FOUND) return at;
      at += this.#width;
    }
    return this.#step(state, END) === FOUND ? to : -1;
  }

  #classAt(bytes: Uint8Array, at: number, to: number): number {
    this.#width = 1;
    const byte = bytes[at] as number;
    if (byte < 128) return this.#alphabet.ascii[byte] as number;
    const char = decodeAt(bytes, at, to);
    if (char === NO_CHAR) return INVALID;
    this.#width = char & 7;
    return this.#alphabet.classOf(char >> 3);
  }

  #step(row: number, kind: number): number {
    if (kind >= 1 << this.#shift) return this.#stepAfterClear(row, kind);
    const known = this.#table[row + kind] as number;
    if (known !== UNKNOWN) return known;
    const state = this.#states[row >> this.#shift] as State;
    const next = this.#next(state, kind);
    if (next === undefined) {
      this.#table[row + kind] = FOUND;
      return FOUND;
    }
    const key = keyOf(next);
    let id = this.#ids.get(key);
    if (id === undefined && this.#isFull()) {
      this.#clear();
      return this.#intern(next, key);
    }
    id ??= this.#intern(next, key);
    this.#table[row + kind] = id;
    return id;
  }

  // The alphabet has got more classes than a row has room for.
  #stepAfterClear(row: number, kind: number): number {
    const state = this.#states[row >> this.#shift] as State;
    this.#clear();
    return this.#step(this.#intern(state, keyOf(state)), kind);
  }

  /** The state after a character of this class; `undefined` for a match. */
  #next({ places, before }: State, kind: number): State | undefined {
    const { ops, x, y, start } = this.#program;
    const members = this.#alphabet.members[kind] as Uint8Array;
    const after = this.#alphabet.sides[kind] as number;
    // First what assertions let through, now that the next character is known.
    this.#begin();
    for (const place of places) this.#enter(place, before, after);
    if (this.#matched) return undefined;
    const open = this.#places;
    checkWork(this.#program, this.work, this.#read);
    this.#begin();
    for (const place of open) {
      if (ops[place] === SET && members[x[place] as number] === 1) this.#enter(y[place] as number, -1, 0);
    }
    this.#enter(start, -1, 0);
    if (this.#matched) return undefined;
    const sides = this.#program.looks === 0 ? 0 : after;
    return { places: Uint16Array.from(this.#places).sort(), before: sides };
  }

  #begin(): void {
    this.#mark++;
    this.#places = [];
    this.#matched = false;
  }

  /** Adds a step and those that it leads to without a character; through assertions only when `before` is not -1. */
  #enter(first: number, before: number, after: number): void {
    const { ops, x, y } = this.#program;
    const stack = this.#stack;
    stack[0] = first;
    for (let top = 0; top >= 0;) {
      const pc = stack[top--] as number;
      if (this.#marks[pc] === this.#mark) continue;
      this.#marks[pc] = this.#mark;
      this.work++;
      switch (ops[pc]) {
        case SPLIT:
          stack[++top] = y[pc] as number;
          stack[++top] = x[pc] as number;
          break;
        case MATCH:
          this.#matched = true;
          return;
        case LOOK:
          if (before === -1) this.#places.push(pc);
          else if (holds(x[pc] as number, before, after)) stack[++top] = y[pc] as number;
          break;
        default:
          this.#places.push(pc);
      }
    }
  }

  #isFull(): boolean {
    return this.#ids.size >= MAX_STATES || this.#placesKept >= MAX_PLACES;
  }

  #clear(): void {
    this.#shift = Math.max(3, Math.ceil(Math.log2(this.#alphabet.size + 8)));
    this.#table = new Int32Array(16 << this.#shift);
    this.#ids.clear();
    // Ids 0 and 1 would be read as UNKNOWN and FOUND.
    this.#states.length = 0;
    this.#states.push(undefined);
    this.#placesKept = 0;
    this.#begin();
    this.#enter(this.#program.start, -1, 0);
    const before = this.#program.looks === 0 ? 0 : EDGE | LINE_FEED_SIDE;
    const state = { places: Uint16Array.from(this.#places).sort(), before };
    this.#start = this.#matched ? FOUND : this.#intern(state, keyOf(state));
  }

  #intern(state: State, key: string): number {
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = (this.#states.push(state) - 1) << this.#shift;
    if (id + (1 << this.#shift) > this.#table.length) {
      const larger = new Int32Array(this.#table.length * 2);
      larger.set(this.#table);
      this.#table = larger;
    }
    this.#ids.set(key, id);
    this.#placesKept += state.places.length + 16;
    return id;
  }
}

function keyOf({ places, before }: State): string {
  let key = String.fromCharCode(before);
  // In pieces: a call has room for so many arguments.
  for (let at = 0; at < places.length; at += 4096) key += String.fromCharCode(...places.subarray(at, at + 4096));
  return key;
}
