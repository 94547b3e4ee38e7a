import { ASCII_WORD_BODY, native, toTest, WORD_BODY } from "./char-set.ts";
import { ASCII_WORD, BROKEN, EDGE, LINE_FEED_SIDE, RETURN_SIDE, WORD } from "./looks.ts";
import type { Program } from "./program.ts";

// Class 0 is of bytes above 127: they have to be decoded to know theirs.

/** The end of the text. */
export const END = 1;
/** Bytes that are no UTF-8. No set has them. */
export const INVALID = 2;

/** Up to so many sets, those that have a character are the bits of a number. */
const MASK_SETS = 24;

/** Entries of the table of the Basic Multilingual Plane. */
const BMP = 0x10000;

/**
 * The characters of a program in classes: those that no set and no assertion of it can tell apart are one. A program that
 * is matched line by line (`lines`) never matches a line feed, and takes each line for a text.
 */
export class Alphabet {
  /** Class of a byte. */
  readonly ascii: Uint8Array = new Uint8Array(256);
  /** For each class, what an assertion can know of it; see `looks.ts`. */
  readonly sides: number[] = [];
  /** For each class, 1 for each set of the program that has it. */
  readonly members: Uint8Array[] = [];
  readonly #tests: readonly ((codePoint: number) => boolean)[];
  readonly #isWord: (codePoint: number) => boolean;
  readonly #isAsciiWord: (codePoint: number) => boolean;
  readonly #lines: boolean;
  readonly #looks: boolean;
  readonly #known = new Map<string | number, number>();
  // Classes of long characters once they were met, plus one.
  #long: Uint16Array | undefined;

  constructor(program: Program, lines: boolean) {
    this.#tests = program.sets.map(toTest);
    this.#isWord = toTest(native(WORD_BODY, false));
    this.#isAsciiWord = toTest(native(ASCII_WORD_BODY, false));
    this.#lines = lines;
    this.#looks = program.looks !== 0;
    const nothing = new Uint8Array(program.sets.length);
    for (const side of [0, EDGE | LINE_FEED_SIDE, BROKEN]) {
      this.sides.push(side);
      this.members.push(nothing);
    }
    for (let code = 0; code < 128; code++) this.ascii[code] = this.#classify(code);
  }

  get size(): number {
    return this.sides.length;
  }

  /** The class of a character that is longer than a byte. */
  classOf(codePoint: number): number {
    if (codePoint >= BMP) return this.#classify(codePoint);
    this.#long ??= new Uint16Array(BMP);
    const known = this.#long[codePoint];
    if (known) return known - 1;
    const found = this.#classify(codePoint);
    this.#long[codePoint] = found + 1;
    return found;
  }

  #classify(codePoint: number): number {
    const side = this.#looks || codePoint === 10 ? this.#sideOf(codePoint) : 0;
    const isMember = (test: (codePoint: number) => boolean): boolean =>
      !(codePoint === 10 && this.#lines) && test(codePoint);
    const key = this.#tests.length > MASK_SETS ? this.#longKey(side, isMember) : this.#mask(side, isMember);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#known.set(key, this.sides.length);
    this.members.push(Uint8Array.from(this.#tests, (test) => (isMember(test) ? 1 : 0)));
    return this.sides.push(side) - 1;
  }

  // For each of 128 bytes of each pattern and glob: a number is much faster than a text.
  #mask(side: number, isMember: (test: (codePoint: number) => boolean) => boolean): number {
    let mask = 0;
    for (const [index, test] of this.#tests.entries()) if (isMember(test)) mask |= 1 << index;
    return side * 2 ** MASK_SETS + mask;
  }

  #longKey(side: number, isMember: (test: (codePoint: number) => boolean) => boolean): string {
    return `${side}:${this.#tests.map((test) => (isMember(test) ? 1 : 0)).join("")}`;
  }

  #sideOf(codePoint: number): number {
    if (codePoint === 10) return this.#lines ? LINE_FEED_SIDE | EDGE : LINE_FEED_SIDE;
    if (codePoint === 13) return RETURN_SIDE;
    return (this.#isWord(codePoint) ? WORD : 0) | (this.#isAsciiWord(codePoint) ? ASCII_WORD : 0);
  }
}
