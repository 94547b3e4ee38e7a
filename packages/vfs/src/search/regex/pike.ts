import { type Alphabet, END, INVALID } from "./alphabet.ts";
import { decodeAt, decodeBefore, NO_CHAR } from "./decode.ts";
import { BROKEN, EDGE, holds, LINE_FEED_SIDE } from "./looks.ts";
import { checkWork, LOOK, MATCH, type Program, SET, SPLIT } from "./program.ts";

/** A part of a text, in bytes. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

interface Threads {
  pcs: number[];
  starts: number[];
}

/**
 * Finds where the leftmost match begins and ends, as a backtracking matcher would, in time linear in the text: it follows
 * all ways at once, in order of priority.
 */
export class Pike {
  readonly #program: Program;
  readonly #alphabet: Alphabet;
  readonly #marks: Uint32Array;
  #mark = 0;
  readonly #stack: number[] = [];
  /** 1 for each byte that a match can begin with; of all when one may be empty. */
  readonly #starters: Uint8Array;
  #threads: Threads = { pcs: [], starts: [] };
  #open: Threads = { pcs: [], starts: [] };
  #width = 0;
  /** Steps of the program that were looked at. */
  work = 0;
  #read = 0;

  constructor(program: Program, alphabet: Alphabet) {
    this.#program = program;
    this.#alphabet = alphabet;
    this.#marks = new Uint32Array(program.ops.length);
    this.#starters = startersOf(program, alphabet);
  }

  /** The first match that begins at `at` or behind it, in the text between `from` and `to`. `EINVAL` when it takes too long. */
  find(bytes: Uint8Array, from: number, to: number, at: number): Span | undefined {
    const { start } = this.#program;
    const threads = this.#threads;
    threads.pcs.length = 0;
    let found: Span | undefined;
    let place = at;
    let before = -1;
    for (;;) {
      if (threads.pcs.length === 0) {
        if (found) return found;
        const next = this.#skip(bytes, place, to);
        if (next !== place || before === -1) before = this.#sideBefore(bytes, from, next);
        place = next;
      }
      const kind = this.#classAt(bytes, place, to);
      const after = this.#alphabet.sides[kind] as number;
      this.#mark++;
      const open = this.#open;
      open.pcs.length = 0;
      open.starts.length = 0;
      const end = this.#follow(threads, before, after);
      if (end !== -1) found = { start: end, end: place };
      else if (!found && this.#enter(start, place, before, after)) found = { start: place, end: place };
      this.#advance(kind);
      if (place >= to) return found;
      place += this.#width;
      before = after;
    }
  }

  /** Where the thread began that comes to a match, -1 when none does; those behind it in order are given up. */
  #follow({ pcs, starts }: Threads, before: number, after: number): number {
    for (let index = 0; index < pcs.length; index++) {
      const begin = starts[index] as number;
      if (this.#enter(pcs[index] as number, begin, before, after)) return begin;
    }
    return -1;
  }

  /** The threads that take a character of this class. */
  #advance(kind: number): void {
    const { ops, x, y } = this.#program;
    const members = this.#alphabet.members[kind] as Uint8Array;
    const threads = this.#threads;
    const { pcs, starts } = this.#open;
    checkWork(this.#program, this.work, this.#read++);
    threads.pcs.length = 0;
    threads.starts.length = 0;
    for (let index = 0; index < pcs.length; index++) {
      const pc = pcs[index] as number;
      if (ops[pc] !== SET || members[x[pc] as number] !== 1) continue;
      threads.pcs.push(y[pc] as number);
      threads.starts.push(starts[index] as number);
    }
  }

  #skip(bytes: Uint8Array, at: number, to: number): number {
    let next = at;
    while (next < to && this.#starters[bytes[next] as number] === 0) next++;
    return next;
  }

  #classAt(bytes: Uint8Array, at: number, to: number): number {
    this.#width = 1;
    if (at >= to) return END;
    const byte = bytes[at] as number;
    if (byte < 128) return this.#alphabet.ascii[byte] as number;
    const char = decodeAt(bytes, at, to);
    if (char === NO_CHAR) return INVALID;
    this.#width = char & 7;
    return this.#alphabet.classOf(char >> 3);
  }

  #sideBefore(bytes: Uint8Array, from: number, at: number): number {
    if (at <= from) return EDGE | LINE_FEED_SIDE;
    const char = decodeBefore(bytes, at);
    if (char === NO_CHAR) return BROKEN;
    const code = char >> 3;
    const kind = code < 128 ? (this.#alphabet.ascii[code] as number) : this.#alphabet.classOf(code);
    return this.#alphabet.sides[kind] as number;
  }

  /** Adds the steps that a step leads to without a character, the preferred ones first; true when it leads to a match. */
  #enter(first: number, begin: number, before: number, after: number): boolean {
    const { ops, x, y } = this.#program;
    const open = this.#open;
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
          return true;
        case LOOK:
          if (holds(x[pc] as number, before, after)) stack[++top] = y[pc] as number;
          break;
        default:
          open.pcs.push(pc);
          open.starts.push(begin);
      }
    }
    return false;
  }
}

function startersOf({ ops, x, y, start }: Program, alphabet: Alphabet): Uint8Array {
  const starters = new Uint8Array(256);
  const seen = new Set<number>();
  const stack = [start];
  for (let pc = stack.pop(); pc !== undefined; pc = stack.pop()) {
    if (seen.has(pc)) continue;
    seen.add(pc);
    if (ops[pc] === MATCH) return starters.fill(1);
    if (ops[pc] !== SET) {
      stack.push(y[pc] as number);
      if (ops[pc] === SPLIT) stack.push(x[pc] as number);
      continue;
    }
    for (let byte = 0; byte < 128; byte++) {
      if (alphabet.members[alphabet.ascii[byte] as number]?.[x[pc] as number] === 1) starters[byte] = 1;
    }
  }
  return starters.fill(1, 128);
}
