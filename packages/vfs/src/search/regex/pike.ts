import { type Alphabet, END, INVALID } from "./alphabet.ts";
import { decodeAt, decodeBefore, NO_CHAR } from "./decode.ts";
import { BROKEN, EDGE, holds, LINE_FEED_SIDE } from "./looks.ts";
import { LOOK, MATCH, type Program, SET, SPLIT } from "./program.ts";

/** A part of a text, in bytes. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

interface Threads {
  readonly pcs: number[];
  readonly starts: number[];
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

  constructor(program: Program, alphabet: Alphabet) {
    this.#program = program;
    this.#alphabet = alphabet;
    this.#marks = new Uint32Array(program.ops.length);
  }

  /** The first match that begins at `at` or behind it, in the text between `from` and `to`. */
  find(bytes: Uint8Array, from: number, to: number, at: number): Span | undefined {
    const { ops, x, y, start } = this.#program;
    let threads: Threads = { pcs: [], starts: [] };
    let found: Span | undefined;
    let before = this.#sideBefore(bytes, from, at);
    for (let place = at; ; ) {
      const { kind, width } = this.#classAt(bytes, place, to);
      const after = this.#alphabet.sides[kind] as number;
      const members = this.#alphabet.members[kind] as Uint8Array;
      this.#mark++;
      const open: Threads = { pcs: [], starts: [] };
      let cut = false;
      for (let index = 0; index < threads.pcs.length && !cut; index++) {
        const begin = threads.starts[index] as number;
        if (this.#enter(open, threads.pcs[index] as number, begin, before, after)) {
          found = { start: begin, end: place };
          cut = true;
        }
      }
      if (!found && this.#enter(open, start, place, before, after)) found = { start: place, end: place };
      threads = { pcs: [], starts: [] };
      for (let index = 0; index < open.pcs.length; index++) {
        const pc = open.pcs[index] as number;
        if (ops[pc] !== SET || members[x[pc] as number] !== 1) continue;
        threads.pcs.push(y[pc] as number);
        threads.starts.push(open.starts[index] as number);
      }
      if (place >= to || (found && threads.pcs.length === 0)) return found;
      place += width;
      before = after;
    }
  }

  #classAt(bytes: Uint8Array, at: number, to: number): { kind: number; width: number } {
    if (at >= to) return { kind: END, width: 0 };
    const byte = bytes[at] as number;
    if (byte < 128) return { kind: this.#alphabet.ascii[byte] as number, width: 1 };
    const char = decodeAt(bytes, at, to);
    return char === NO_CHAR ? { kind: INVALID, width: 1 } : { kind: this.#alphabet.classOf(char >> 3), width: char & 7 };
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
  #enter(open: Threads, first: number, begin: number, before: number, after: number): boolean {
    const { ops, x, y } = this.#program;
    const stack = [first];
    for (let pc = stack.pop(); pc !== undefined; pc = stack.pop()) {
      if (this.#marks[pc] === this.#mark) continue;
      this.#marks[pc] = this.#mark;
      switch (ops[pc]) {
        case SPLIT:
          stack.push(y[pc] as number, x[pc] as number);
          break;
        case MATCH:
          return true;
        case LOOK:
          if (holds(x[pc] as number, before, after)) stack.push(y[pc] as number);
          break;
        default:
          open.pcs.push(pc);
          open.starts.push(begin);
      }
    }
    return false;
  }
}
