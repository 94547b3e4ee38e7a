import { AwkError } from "../awk-error.ts";
import { MOST_WORK, NEW_WORK, TOO_MUCH_WORK } from "./automaton.ts";
import { type Beside, besideOf, holds, sizeAt } from "./beside.ts";
import type { Step } from "./compile-ere.ts";
import { WORD } from "./parse-bracket.ts";

/** For each step whether it leads to a match, at one place of a text: 1 where it does. */
export type Prospect = Uint8Array;

interface Known {
  readonly prospect: Prospect;
  /** What is in front of a character, by it and by what is before it. */
  readonly inFront: Map<number, Known>;
}

interface Mark {
  readonly at: number;
  readonly prospect: Prospect;
}

/** Units between two marks. */
const BLOCK = 4096;
/** Steps in those that are kept. */
const MOST_KEPT = 500_000;
/** A step for a character that is new, measured by characters that are known. */
const STEP_WORK = 20;
const MOST_IN_FRONT = 2000;
const KINDS: readonly Beside[] = ["edge", "word", "other"];

/**
 * From which steps a match can still come at each place of a text. It is gone through backwards once, of which only marks
 * are kept; what is between two of them is made again when it is asked for. The places are asked for from front to back.
 */
export class Prospects {
  readonly #steps: readonly Step[];
  readonly #text: string;
  /** Steps that come to each one without a character. */
  readonly #behind: readonly (readonly number[])[];
  /** The last one is the next. */
  readonly #marks: Mark[] = [];
  #block: Prospect[] = [];
  #blockStart = 0;
  #blockEnd = 0;
  #known = new Map<string, Known>();
  /** In characters that are known. */
  work = 0;
  /** That for what is new, without a turn of the event loop. */
  #made = 0;

  /** For places from `from` on. */
  constructor(steps: readonly Step[], text: string, from: number) {
    this.#steps = steps;
    this.#text = text;
    this.#behind = comingTo(steps);
    let known = this.#make(undefined, "", besideOf(text, text.length), "edge");
    let last = text.length;
    this.#marks.push({ at: last, prospect: known.prospect });
    for (let at = text.length; at > from;) {
      at = placeBefore(text, at);
      known = this.#inFront(known, at);
      if (last - at < BLOCK && at > from) continue;
      last = at;
      this.#marks.push({ at, prospect: known.prospect });
    }
    this.#blockStart = this.#blockEnd = last;
  }

  at(at: number): Prospect {
    while (at >= this.#blockEnd && this.#marks.length > 1) this.#nextBlock();
    const [end] = this.#marks;
    const found = at < this.#blockEnd ? this.#block[at - this.#blockStart] : end?.prospect;
    if (!found) throw new Error(`no prospect at ${at}`);
    return found;
  }

  #nextBlock(): void {
    const start = this.#marks.pop();
    const end = this.#marks.at(-1);
    if (!start || !end) return;
    this.#made = 0;
    this.#blockStart = start.at;
    this.#blockEnd = end.at;
    this.#block = [];
    let known: Known = { prospect: end.prospect, inFront: new Map() };
    for (let at = end.at; at > start.at;) {
      at = placeBefore(this.#text, at);
      known = this.#inFront(known, at);
      this.#block[at - start.at] = known.prospect;
    }
  }

  /** That in front of the character at `at`. */
  #inFront(known: Known, at: number): Known {
    const text = this.#text;
    const code = text.codePointAt(at) ?? 0;
    const before = besideOf(text, at);
    const key = code * KINDS.length + KINDS.indexOf(before);
    this.work++;
    const next = known.inFront.get(key);
    if (next) return next;
    const char = String.fromCodePoint(code);
    const made = this.#make(known.prospect, char, before, WORD(char) ? "word" : "other");
    if (known.inFront.size < MOST_IN_FRONT) known.inFront.set(key, made);
    return made;
  }

  #make(next: Prospect | undefined, char: string, before: Beside, after: Beside): Known {
    const prospect = new Uint8Array(this.#steps.length);
    const open: number[] = [];
    const add = (at: number): void => {
      if (prospect[at] === 1) return;
      prospect[at] = 1;
      open.push(at);
    };
    const work = NEW_WORK + STEP_WORK * this.#steps.length;
    this.work += work;
    this.#made += work;
    if (this.#made > MOST_WORK) throw new AwkError(TOO_MUCH_WORK);
    for (const [at, step] of this.#steps.entries())
      if (step.kind === "match" || (step.kind === "char" && next?.[step.next] === 1 && step.test(char))) add(at);
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const each of this.#behind[at] ?? []) {
        const step = this.#steps[each];
        if (step?.kind !== "edge" || holds(step.edge, before, after)) add(each);
      }
    return this.#keep(prospect);
  }

  #keep(prospect: Prospect): Known {
    const key = prospect.join("");
    const known = this.#known.get(key);
    if (known) return known;
    if (this.#known.size * prospect.length >= MOST_KEPT) this.#known = new Map();
    const made: Known = { prospect, inFront: new Map() };
    this.#known.set(key, made);
    return made;
  }
}

function comingTo(steps: readonly Step[]): number[][] {
  const behind: number[][] = steps.map(() => []);
  for (const [at, step] of steps.entries()) {
    if (step.kind === "split") for (const next of [step.first, step.second]) behind[next]?.push(at);
    else if (step.kind === "save" || step.kind === "edge") behind[step.next]?.push(at);
  }
  return behind;
}

/** Where the character in front of `at` begins. */
function placeBefore(text: string, at: number): number {
  return at > 1 && sizeAt(text, at - 2) === 2 ? at - 2 : at - 1;
}
