const LINE_FEED = 0x0a;
const BOM = [0xef, 0xbb, 0xbf];

/** Finds in bytes that come in pieces where lines begin; of those from `first` on, `count` of them. */
export class LineStarts {
  readonly #first: number;
  readonly #count: number;
  readonly #starts: number[] = [];
  #line = 1;
  #at = 0;

  constructor(first: number, count: number) {
    this.#first = first;
    this.#count = count;
  }

  add(piece: Uint8Array): void {
    if (this.#at === 0) this.#note(BOM.every((byte, at) => piece[at] === byte) ? BOM.length : 0);
    let at = piece.indexOf(LINE_FEED);
    while (at !== -1 && this.#starts.length < this.#count) {
      this.#line += 1;
      this.#note(this.#at + at + 1);
      at = piece.indexOf(LINE_FEED, at + 1);
    }
    this.#at += piece.byteLength;
  }

  /** Offset in bytes; 0 for a line that is none of those. */
  of(line: number): number {
    return this.#starts[line - this.#first] ?? 0;
  }

  #note(start: number): void {
    if (this.#line >= this.#first) this.#starts.push(start);
  }
}
