/** Terms of the sequence that a term is made of. */
const DEGREE = 31;
const DISTANCE = 3;
const TWO_31 = 2 ** 31;

/** Numbers of chance, the same ones for the same seed. */
export class Random {
  seed = 1;
  #terms: number[] = [];
  #at = 0;

  constructor() {
    this.start(this.seed);
  }

  start(seed: number): void {
    this.seed = seed;
    const terms = [seed >>> 0 || 1];
    for (let at = 1; at < DEGREE; at++) terms.push((16_807 * (terms[at - 1] ?? 1)) % (TWO_31 - 1));
    this.#terms = terms;
    this.#at = 0;
    for (let count = 0; count < 10 * DEGREE; count++) this.#step();
  }

  /** At least 0 and below 1. */
  next(): number {
    return this.#step() / TWO_31;
  }

  /** A sum of two earlier terms. */
  #step(): number {
    const terms = this.#terms;
    const at = this.#at;
    const term = ((terms[at] ?? 0) + (terms[(at + DEGREE - DISTANCE) % DEGREE] ?? 0)) >>> 0;
    terms[at] = term;
    this.#at = (at + 1) % DEGREE;
    return term >>> 1;
  }
}
