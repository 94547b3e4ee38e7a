/** Bytes of all filters together. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Of a filter; the larger content's is full and keeps nothing out. */
const MIN_BITS = 8;
const MAX_BITS = 17;

/**
 * What is known of contents by hash, so that most files need not be read to know that a text is not in them: which
 * sequences of three bytes they have, as a Bloom filter with one hash function, or that they are binary. A content never
 * changes, so nothing here is ever wrong; what is forgotten is learned again by the next search that reads it.
 */
export class ContentFilters {
  // In order of age: the oldest is dropped first.
  readonly #filters = new Map<string, Uint8Array>();
  #bytes = 0;

  get(hash: string): Uint8Array | undefined {
    return this.#filters.get(hash);
  }

  /** `text` is the content as it is searched: in UTF-8. */
  learn(hash: string, text: Uint8Array): void {
    if (this.#filters.has(hash)) return;
    const filter = filterOf(text);
    this.#filters.set(hash, filter);
    this.#bytes += filter.length;
    for (const [oldest, { length }] of this.#filters) {
      if (this.#bytes <= MAX_BYTES) break;
      this.#filters.delete(oldest);
      this.#bytes -= length;
    }
  }
}

/** A bit for some two bytes of text: of eight sequences in a text that a file does not have, one is nearly always missing. */
function filterOf(text: Uint8Array): Uint8Array {
  const bits = Math.min(MAX_BITS, Math.max(MIN_BITS, Math.ceil(Math.log2(text.length / 2 + 1))));
  const filter = new Uint8Array(1 << (bits - 3));
  const shift = 32 - bits;
  let three = ((text[0] ?? 0) << 8) | (text[1] ?? 0);
  for (let at = 2; at < text.length; at++) {
    three = ((three << 8) | (text[at] as number)) & 0xffffff;
    const bit = Math.imul(three, 0x9e3779b1) >>> shift;
    (filter[bit >>> 3] as number) |= 1 << (bit & 7);
  }
  return filter;
}

/** Texts to ask filters about: a content that has none of them is not searched. */
export class FilterQuestion {
  readonly #texts: readonly (readonly number[])[];

  private constructor(texts: readonly (readonly number[])[]) {
    this.#texts = texts;
  }

  /** `undefined` when a text is too short to say anything. */
  static of(texts: readonly Uint8Array[]): FilterQuestion | undefined {
    if (texts.length === 0 || texts.some((text) => text.length < 3)) return undefined;
    return new FilterQuestion(texts.map(sequencesOf));
  }

  /** False when none of the texts is in the content of this filter. */
  mayFind(filter: Uint8Array): boolean {
    const shift = 32 - (31 - Math.clz32(filter.length) + 3);
    return this.#texts.some((sequences) =>
      sequences.every((three) => {
        const bit = Math.imul(three, 0x9e3779b1) >>> shift;
        return ((filter[bit >>> 3] as number) & (1 << (bit & 7))) !== 0;
      }),
    );
  }
}

function sequencesOf(text: Uint8Array): number[] {
  const found = new Set<number>();
  for (let at = 2; at < text.length; at++) {
    found.add(((text[at - 2] as number) << 16) | ((text[at - 1] as number) << 8) | (text[at] as number));
  }
  return [...found];
}
