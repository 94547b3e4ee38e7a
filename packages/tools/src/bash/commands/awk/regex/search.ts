import type { Automaton, Span } from "./automaton.ts";
import type { Step } from "./compile-ere.ts";
import { Prospects } from "./prospects.ts";

/** Characters behind matches that are looked at before it is worth while to know where none come any more. */
const FEW = 1000;

/**
 * The search for matches in one text, one after another. All of them together take time that is linear in the text's length:
 * where too much is looked at for longer matches that do not come, it is found out backwards where they can.
 */
export class Search {
  readonly #text: string;
  readonly #literal: string | undefined;
  readonly #automaton: Automaton | undefined;
  readonly #steps: readonly Step[];
  #beyond = 0;
  #prospects: Prospects | undefined;
  #work = 0;

  /** Of `literal`, if that is all that matches. */
  constructor(text: string, steps: readonly Step[], by: Automaton | string) {
    this.#text = text;
    this.#steps = steps;
    this.#literal = typeof by === "string" ? by : undefined;
    this.#automaton = typeof by === "string" ? undefined : by;
  }

  /** What was done so far, in characters that were looked at. */
  get work(): number {
    return this.#work + (this.#prospects?.work ?? 0);
  }

  /** The first match that begins at `from` or behind it, the longest one there. `from` is never less than before. */
  find(from: number): Span | undefined {
    const text = this.#text;
    if (this.#literal !== undefined) {
      const start = text.indexOf(this.#literal, from);
      const end = start + this.#literal.length;
      // The system looks at many at once.
      this.#work += 1 + (((start === -1 ? text.length : end) - from) >> 3);
      return start === -1 ? undefined : { start, end };
    }
    if (this.#beyond > FEW + text.length - from) this.#prospects ??= new Prospects(this.#steps, text, from);
    const found = this.#automaton?.find(text, from, this.#prospects);
    this.#work += found?.work ?? 0;
    this.#beyond += found?.beyond ?? 0;
    return found?.span;
  }
}
