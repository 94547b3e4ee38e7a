import type { AwkArray } from "./awk-array.ts";
import { AwkError } from "./awk-error.ts";
import type { MainInput } from "./main-input.ts";
import type { Random } from "./random.ts";
import type { InPieces } from "./split-text.ts";
import type { Streams } from "./streams.ts";
import type { Substitution } from "./substitute.ts";
import type { Cell } from "./values.ts";
import type { Variables } from "./variables.ts";

/** Keys that a loop still has to go through. */
export interface Loop {
  readonly keys: readonly string[];
  at: number;
}

/** What a function call or the program itself has for itself: arguments, locals, and what was kept on the way. */
export type Frame = (Cell | Loop | Substitution | InPieces<number>)[];

/** Does something, and gives the place of the next one, or one of the below. */
export type Step = () => number;

/** The event loop is to have its turn; the machine goes on at `at`. */
export const PAUSE = -1;
/** `wait` is to be waited for; the machine goes on at `at`. */
export const WAIT = -2;
export const DONE = -3;

/** Rounds, calls and characters, in some measure, between turns of the event loop: some milliseconds. */
const PIECE = 60_000;
/** The same without a record being read: some seconds. */
const MOST_WORK = 100_000_000;
/** Calls in each other. */
const MOST_CALLS = 50_000;

interface Caller {
  readonly frame: Frame;
  readonly returnTo: number;
  /** Where in the frame the result is kept. */
  readonly place: number;
  /** Arrays that end with the call. */
  readonly arrays: readonly AwkArray[];
}

/** Runs the steps of a program. */
export class Machine {
  readonly variables: Variables;
  readonly streams: Streams;
  readonly input: MainInput;
  readonly random: Random;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly steps: Step[] = [];
  frame: Frame = [];
  at = 0;
  wait: (() => Promise<void>) | undefined;
  /** What the program ends with. */
  exitCode = 0;
  /** Where `exit` and `next` lead to. */
  onExit = 0;
  onNext = 0;
  #callers: Caller[] = [];
  #work = 0;
  /** Since a record was read, without what was done since the last turn. */
  #lastWork = 0;

  constructor(variables: Variables, streams: Streams, input: MainInput, random: Random, now: () => number) {
    this.variables = variables;
    this.streams = streams;
    this.input = input;
    this.random = random;
    this.now = now;
  }

  /** Goes on for some milliseconds. */
  run(): typeof PAUSE | typeof WAIT | typeof DONE {
    this.#lastWork += this.#work;
    this.#work = 0;
    if (this.#lastWork > MOST_WORK)
      throw new AwkError(
        "limit exceeded: it goes round in loops for seconds without reading a record; one may have no end",
      );
    const { steps } = this;
    let at = this.at;
    do at = steps[at]?.() ?? DONE;
    while (at >= 0);
    return at as typeof PAUSE;
  }

  /** A record was read, and the program has made progress. */
  hasRead(): void {
    this.#lastWork = 0;
  }

  /** Adds to what was done since the last turn. */
  did(work: number): void {
    this.#work += work;
  }

  /** Goes on at `at`, after a turn of the event loop if it is time. */
  goOn(at: number, work: number): number {
    this.#work += work + this.variables.work;
    this.variables.work = 0;
    if (this.#work < PIECE) return at;
    this.at = at;
    return PAUSE;
  }

  /** Goes on at `at` after something was waited for. */
  waitFor(wait: () => Promise<void>, at: number): number {
    this.wait = wait;
    this.at = at;
    return WAIT;
  }

  call(
    name: string,
    entry: number,
    frame: Frame,
    arrays: readonly AwkArray[],
    returnTo: number,
    place: number,
  ): number {
    if (this.#callers.length >= MOST_CALLS)
      throw new AwkError(`limit exceeded: calls of ${name} are in each other more than ${MOST_CALLS} times`);
    this.#callers.push({ frame: this.frame, returnTo, place, arrays });
    this.frame = frame;
    return this.goOn(entry, 4);
  }

  return(value: Cell): number {
    const caller = this.#callers.pop();
    if (!caller) return DONE;
    for (const array of caller.arrays) array.clear();
    this.frame = caller.frame;
    this.frame[caller.place] = value;
    return caller.returnTo;
  }

  /** Out of all calls, as `next` and `exit` do. */
  leave(): void {
    const [first] = this.#callers;
    if (first) this.frame = first.frame;
    for (const { arrays } of this.#callers) for (const array of arrays) array.clear();
    this.#callers = [];
  }
}
