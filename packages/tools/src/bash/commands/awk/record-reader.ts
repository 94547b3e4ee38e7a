import type { Regexes } from "./regex/regex.ts";

/** Records of a text, one after another. `RS` may be another one each time. */
export class RecordReader {
  readonly #text: string;
  readonly #regexes: Regexes;
  #at = 0;
  /** What ended the last record. */
  terminator = "";

  constructor(text: string, regexes: Regexes) {
    this.#text = text;
    this.#regexes = regexes;
  }

  /** What was not read yet. */
  rest(): string {
    const rest = this.#text.slice(this.#at);
    this.#at = this.#text.length;
    return rest;
  }

  /** The next record; undefined at the end. */
  read(separator: string, ignoreCase: boolean): string | undefined {
    const text = this.#text;
    if (this.#at >= text.length) return undefined;
    if (separator === "") return this.#paragraph();
    if (separator.length > 1) return this.#untilMatch(separator, ignoreCase);
    const end = text.indexOf(separator, this.#at);
    return this.#take(end, end === -1 ? text.length : end + 1);
  }

  #take(end: number, next: number): string {
    const stop = end === -1 ? this.#text.length : end;
    const record = this.#text.slice(this.#at, stop);
    this.terminator = this.#text.slice(stop, next);
    this.#at = next;
    return record;
  }

  /** Lines up to an empty one. */
  #paragraph(): string | undefined {
    const text = this.#text;
    while (text[this.#at] === "\n") this.#at++;
    if (this.#at >= text.length) return undefined;
    const end = text.indexOf("\n\n", this.#at);
    if (end === -1) return this.#take(text.endsWith("\n") ? text.length - 1 : -1, text.length);
    let next = end;
    while (text[next] === "\n") next++;
    return this.#take(end, next);
  }

  #untilMatch(separator: string, ignoreCase: boolean): string {
    const regex = this.#regexes.get(separator, ignoreCase);
    for (let from = this.#at; from <= this.#text.length;) {
      const match = regex.find(this.#text, from);
      if (!match) break;
      if (match.end > match.start) return this.#take(match.start, match.end);
      from = match.end + 1;
    }
    return this.#take(-1, this.#text.length);
  }
}
