import { AwkError } from "../awk-error.ts";
import type { Span } from "./automaton.ts";
import { holds } from "./beside.ts";
import type { Step } from "./compile-ere.ts";
import { WORD } from "./parse-bracket.ts";

/** Most pairs of a step and a place in a match. */
const MOST_PAIRS = 64_000_000;

/**
 * Start and end of each group in a match that is known, those of the whole first; -1 where a group has not matched. No step
 * is tried twice at a place, so that the time is linear in both.
 */
export function capturesOf(steps: readonly Step[], groups: number, text: string, { start, end }: Span): number[] {
  if (steps.length * (end - start + 1) > MOST_PAIRS)
    throw new AwkError("the groups of a regular expression take too many steps on a text of this length");
  const walk = new CaptureWalk(steps, groups, text, start, end);
  return walk.run();
}

/** A place to go on at, or with `slot` what is to be set back there. */
interface Todo {
  readonly step: number;
  readonly at: number;
  readonly slot?: number;
}

class CaptureWalk {
  readonly #steps: readonly Step[];
  readonly #text: string;
  readonly #start: number;
  readonly #end: number;
  readonly #seen: Uint8Array;
  readonly #slots: number[];
  readonly #open: Todo[];

  constructor(steps: readonly Step[], groups: number, text: string, start: number, end: number) {
    this.#steps = steps;
    this.#text = text;
    this.#start = start;
    this.#end = end;
    this.#seen = new Uint8Array((steps.length * (end - start + 1) + 7) >> 3);
    this.#slots = Array.from({ length: 2 * groups + 2 }, () => -1);
    this.#open = [{ step: 0, at: start }];
  }

  run(): number[] {
    for (let todo = this.#open.pop(); todo; todo = this.#open.pop()) {
      if (todo.slot !== undefined) this.#slots[todo.slot] = todo.at;
      else if (this.#walk(todo.step, todo.at)) break;
    }
    this.#slots[0] = this.#start;
    this.#slots[1] = this.#end;
    return this.#slots;
  }

  /** Whether it comes to the end of the match this way. */
  #walk(from: number, start: number): boolean {
    let place: { readonly step: number; readonly at: number } | undefined = { step: from, at: start };
    while (place && this.#isNew(place.step, place.at)) {
      const step: Step | undefined = this.#steps[place.step];
      if (step?.kind === "match") return place.at === this.#end;
      place = step && this.#next(step, place.at);
    }
    return false;
  }

  #isNew(step: number, at: number): boolean {
    const bit = step * (this.#end - this.#start + 1) + at - this.#start;
    const before = this.#seen[bit >> 3] ?? 0;
    this.#seen[bit >> 3] = before | (1 << (bit & 7));
    return ((before >> (bit & 7)) & 1) === 0;
  }

  #next(step: Exclude<Step, { kind: "match" }>, at: number): { step: number; at: number } | undefined {
    switch (step.kind) {
      case "split":
        this.#open.push({ step: step.second, at });
        return { step: step.first, at };
      case "save":
        if (step.slot >= 0) {
          this.#open.push({ step: 0, at: this.#slots[step.slot] ?? -1, slot: step.slot });
          this.#slots[step.slot] = at;
        }
        return { step: step.next, at };
      case "edge": {
        const isHeld = holds(step.edge, besideBefore(this.#text, at), besideAfter(this.#text, at));
        return isHeld ? { step: step.next, at } : undefined;
      }
      case "char": {
        if (at >= this.#end) return undefined;
        const char = String.fromCodePoint(this.#text.codePointAt(at) ?? 0);
        return step.test(char) ? { step: step.next, at: at + char.length } : undefined;
      }
    }
  }
}

function besideBefore(text: string, at: number): "edge" | "word" | "other" {
  return at === 0 ? "edge" : WORD(text.charAt(at - 1)) ? "word" : "other";
}

function besideAfter(text: string, at: number): "edge" | "word" | "other" {
  return at === text.length ? "edge" : WORD(text.slice(at, at + 2)) ? "word" : "other";
}
