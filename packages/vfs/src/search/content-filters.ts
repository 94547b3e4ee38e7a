/** Bytes of all filters together. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Bytes of a filter: a sixteenth of the content's. A larger content's is full and keeps nothing out. */
const SHARE = 16;
const MIN_BYTES = 32;
const MAX_FILTER_BYTES = 64 * 1024;

/** Spreads sequences over the bits: 2^32 divided by the golden ratio. */
const MULTIPLIER = 0x9e3779b1;
const TWO_32 = 2 ** 32;

/**
 * What is known of contents by hash, so that most files need not be read to know that a text is not in them: which
 * sequences of three bytes they have, as a Bloom filter with one hash function. A content never changes, so nothing here is
 * ever wrong; what is not known is learned by the next search that reads it.
 */
export class ContentFilters {
  readonly #filters = new Map<string, Uint8Array>();
  #bytes = 0;
  #refused = 0;

  get(hash: string): Uint8Array | undefined {
    return this.#filters.get(hash);
  }

  /**
   * `text` is the content as it is searched: in UTF-8. When there is no room, what is known stays, so that a tree too large
   * for it is known in part; when most of what comes is refused, it is of other files, and all begins anew.
   */
  learn(hash: string, text: Uint8Array): void {
    if (this.#filters.has(hash)) return;
    const bytes = Math.min(MAX_FILTER_BYTES, Math.max(MIN_BYTES, Math.ceil(text.length / SHARE)));
    if (this.#bytes + bytes > MAX_BYTES) {
      if (++this.#refused < 4 * this.#filters.size) return;
      this.#filters.clear();
      this.#bytes = 0;
      this.#refused = 0;
    }
    this.#filters.set(hash, filterOf(text, bytes));
    this.#bytes += bytes;
  }
}

/** A bit for two bytes of text: of eight sequences in a text that a file does not have, one is nearly always missing. */
function filterOf(text: Uint8Array, bytes: number): Uint8Array {
  const filter = new Uint8Array(bytes);
  const scale = (bytes * 8) / TWO_32;
  let three = ((text[0] ?? 0) << 8) | (text[1] ?? 0);
  for (let at = 2; at < text.length; at++) {
    three = ((three << 8) | (text[at] as number)) & 0xffffff;
    const bit = ((Math.imul(three, MULTIPLIER) >>> 0) * scale) | 0;
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
    const scale = (filter.length * 8) / TWO_32;
    return this.#texts.some((sequences) =>
      sequences.every((three) => {
        const bit = ((Math.imul(three, MULTIPLIER) >>> 0) * scale) | 0;
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
